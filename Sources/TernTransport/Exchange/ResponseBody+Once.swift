// SPDX-License-Identifier: Apache-2.0
import NIOCore
import TernErrors

extension ResponseBody {
    /// The same body, but if its bytes are in memory, they can be read only once, like those of a body that is still arriving.
    package var onlyOnce: ResponseBody {
        guard let bytes = self.whole, bytes.readableBytes > 0 else { return self }
        return ResponseBody(BytesSource(bytes))
    }
}

private final class BytesSource: ResponseBodySource {
    let length: Int64?

    private let turn: ReadTurn<ByteBuffer>

    init(_ bytes: ByteBuffer) {
        self.length = Int64(bytes.readableBytes)
        self.turn = ReadTurn(bytes)
    }

    func next(atLeast byteCount: Int) async throws(ClientError) -> ByteBuffer? {
        guard let bytes = try self.turn.take(ClientError.Context(phase: .body)) else { return nil }
        guard bytes.readableBytes > 0 else {
            self.turn.end()
            return nil
        }
        self.turn.giveBack(ByteBuffer())
        return bytes
    }

    func discard() { _ = self.turn.discard() }
}
