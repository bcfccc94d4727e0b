// SPDX-License-Identifier: Apache-2.0
package import NIOCore
package import TernErrors

/// Changes, counts or checks the bytes of a body while they are read, without waiting for anything.
///
/// ``ResponseBody/transformed(by:length:for:)`` reads the body for the transform and admits one task at a time, so a
/// transform is a value without a lock.
package protocol BodyTransform: ~Copyable, Sendable {
    /// Performs the next step.
    ///
    /// - Parameters:
    ///   - input: The input: at first, and after output, ``BodyInput/none``.
    ///   - byteCount: The number of bytes that the reader waits for; 1 for any.
    /// - Returns: Output, or what the transform needs to produce output.
    /// - Throws: The error that ends the body. The transform is not called again, and the underlying body is discarded.
    mutating func next(_ input: BodyInput, atLeast byteCount: Int) throws(ClientError) -> BodyStep
}

/// The input of a ``BodyTransform``.
package enum BodyInput: Sendable {
    /// The reader asks for bytes.
    case none
    /// Bytes that were read, never empty.
    case bytes(ByteBuffer)
    /// The underlying body has ended.
    case end
}

/// The output or the need of a ``BodyTransform``.
package enum BodyStep: Sendable {
    /// Bytes for the reader, never empty.
    case output(ByteBuffer)
    /// More of the underlying body: wait for at least this many bytes.
    case read(atLeast: Int)
    /// The end of the output. The rest of the underlying body is discarded.
    case end
}

/// A body that a transform produces from another.
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

extension ResponseBody {
    /// Returns the body as a transform produces it.
    ///
    /// - Parameters:
    ///   - transform: The transform.
    ///   - length: The number of bytes that the transform produces, if known.
    ///   - call: The call that the body belongs to.
    /// - Returns: A body that reads this one.
    package func transformed<Transform: BodyTransform & ~Copyable>(
        by transform: consuming Transform,
        length: Int64?,
        for call: HTTPCall
    ) -> ResponseBody {
        ResponseBody(TransformedBody(self, transform, length: length, for: call))
    }
}
