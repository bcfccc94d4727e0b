// SPDX-License-Identifier: Apache-2.0
import NIOCore
import Synchronization
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

    private let rest: Mutex<ByteBuffer?>

    init(_ bytes: ByteBuffer) {
        self.length = Int64(bytes.readableBytes)
        self.rest = Mutex(bytes)
    }

    func next(atLeast byteCount: Int) async throws(ClientError) -> ByteBuffer? { self.rest.withLock { $0.take() } }

    /// Does nothing: the bytes have arrived, so they remain readable.
    func discard() {}
}
