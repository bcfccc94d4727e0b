// SPDX-License-Identifier: Apache-2.0
package import NIOCore
package import TernErrors

/// Changes, counts or checks the bytes of a body while they are read, and waits for nothing.
///
/// ``ResponseBody/transformed(by:length:for:)`` reads the body for it and lets one task in at a time, so a transform is a value
/// with no lock of its own.
package protocol BodyTransform: ~Copyable, Sendable {
    /// Does the next step.
    ///
    /// - Parameters:
    ///   - input: What there is to work on: at first, and after output, ``BodyInput/none``.
    ///   - byteCount: How many bytes the reader waits for: 1 for whatever is there.
    /// - Returns: Output, or what it needs for some.
    /// - Throws: The error that ends the body. The transform is not called again, and the body below is discarded.
    mutating func next(_ input: BodyInput, atLeast byteCount: Int) throws(ClientError) -> BodyStep
}

/// What a ``BodyTransform`` gets.
package enum BodyInput: Sendable {
    /// The reader wants bytes.
    case none
    /// Bytes that were read, never empty.
    case bytes(ByteBuffer)
    /// The body below is over.
    case end
}

/// What a ``BodyTransform`` gives or needs.
package enum BodyStep: Sendable {
    /// Bytes for the reader, never empty.
    case output(ByteBuffer)
    /// More of the body below: wait for at least so many bytes.
    case read(atLeast: Int)
    /// The end of what it gives. What is left of the body below is discarded.
    case end
}

/// A body that a transform gives, made of another.
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
    /// The body as a transform gives it.
    ///
    /// - Parameters:
    ///   - transform: The transform.
    ///   - length: The number of bytes that it gives, if that is known.
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
