// SPDX-License-Identifier: Apache-2.0
package import NIOCore
package import TernErrors

/// Changes, counts or checks the bytes of a body without waiting; it needs no lock, because one task at a time reads the body.
package protocol BodyTransform: ~Copyable, Sendable {
    /// Performs the next step; `input` is ``BodyInput/none`` at first and after each output, otherwise the result of reading.
    mutating func next(_ input: BodyInput, atLeast byteCount: Int) throws(ClientError) -> BodyStep
}

package enum BodyInput: Sendable {
    case none
    case bytes(ByteBuffer)
    case end
}

package enum BodyStep: Sendable {
    case output(ByteBuffer)
    /// A request for at least this many bytes of the underlying body.
    case read(atLeast: Int)
    /// The end of the output; the rest of the underlying body is discarded.
    case end
}

package final class TransformedBody<Transform: BodyTransform & ~Copyable>: ResponseBodySource {
    private struct Progress: ~Copyable {
        var transform: Transform
        var reader: ResponseBody.Reader
    }

    package let length: Int64?

    private let base: ResponseBody
    private let call: HTTPCall
    private let turn: ReadTurn<Progress>

    package init(_ base: ResponseBody, _ transform: consuming Transform, length: Int64?, for call: HTTPCall) {
        self.base = base
        self.call = call
        self.length = length
        self.turn = ReadTurn(Progress(transform: transform, reader: base.makeReader()))
    }

    package func next(atLeast byteCount: Int) async throws(ClientError) -> ByteBuffer? {
        guard let progress = try self.turn.take(self.call) else { return nil }
        return try await self.advance(progress, atLeast: byteCount)
    }

    private func advance(
        _ progress: consuming Progress,
        atLeast byteCount: Int
    ) async throws(ClientError) -> ByteBuffer? {
        do throws(ClientError) {
            var input = BodyInput.none
            while true {
                switch try progress.transform.next(input, atLeast: byteCount) {
                case .output(let bytes):
                    self.turn.giveBack(progress)
                    return bytes
                case .read(let byteCount):
                    let bytes = try await progress.reader.next(atLeast: byteCount)
                    input = bytes.map { .bytes($0) } ?? .end
                case .end:
                    self.finish()
                    return nil
                }
            }
        } catch {
            self.finish()
            throw error
        }
    }

    package func discard() {
        _ = self.turn.discard()
        self.base.discard()
    }

    private func finish() {
        self.turn.end()
        self.base.discard()
    }
}

private struct FailedReading: BodyTransform {
    let error: ClientError

    func next(_ input: BodyInput, atLeast byteCount: Int) throws(ClientError) -> BodyStep { throw self.error }
}

extension ResponseBody {
    /// Returns a body that fails when a task reads it, and then discards this one.
    package func failing(with error: ClientError, for call: HTTPCall) -> ResponseBody {
        self.transformed(by: FailedReading(error: error), length: nil, for: call)
    }

    package func transformed<Transform: BodyTransform & ~Copyable>(
        by transform: consuming Transform,
        length: Int64?,
        for call: HTTPCall
    ) -> ResponseBody {
        ResponseBody(TransformedBody(self, transform, length: length, for: call))
    }
}
