// SPDX-License-Identifier: Apache-2.0
package import NIOCore
package import TernErrors

/// Changes, counts or checks the bytes of a body while a task reads them.
///
/// A transform never waits.
///
/// A transform needs no lock: the body that ``ResponseBody/transformed(by:length:for:)`` returns is read by one task at
/// a time.
package protocol BodyTransform: ~Copyable, Sendable {
    /// Performs the next step.
    ///
    /// - Parameters:
    ///   - input: ``BodyInput/none`` in the first step and after each output; after ``BodyStep/read(atLeast:)``, the
    ///     result of reading.
    ///   - byteCount: The number of bytes that the reader waits for; 1 if any number is enough.
    /// - Returns: Output, a request for more input, or the end.
    /// - Throws: The error that ends the body. Afterwards the transform gets no more calls, and the underlying body is
    ///   discarded.
    mutating func next(_ input: BodyInput, atLeast byteCount: Int) throws(ClientError) -> BodyStep
}

/// The input of a ``BodyTransform``.
package enum BodyInput: Sendable {
    /// No new input: the reader asks for output.
    case none
    /// Bytes of the underlying body, never empty.
    case bytes(ByteBuffer)
    /// The underlying body has ended.
    case end
}

/// The result of one step of a ``BodyTransform``.
package enum BodyStep: Sendable {
    /// Bytes for the reader, never empty.
    case output(ByteBuffer)
    /// The transform needs at least this many bytes of the underlying body.
    case read(atLeast: Int)
    /// The end of the output. The rest of the underlying body is discarded.
    case end
}

/// A body that a transform produces from another body.
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

/// A body that fails when a task reads it.
private struct FailedReading: BodyTransform {
    let error: ClientError

    func next(_ input: BodyInput, atLeast byteCount: Int) throws(ClientError) -> BodyStep { throw self.error }
}

extension ResponseBody {
    /// Returns a body that fails when a task reads it, instead of this one.
    ///
    /// - Parameters:
    ///   - error: The error.
    ///   - call: The call that the body belongs to.
    /// - Returns: A body that discards this one when it fails.
    package func failing(with error: ClientError, for call: HTTPCall) -> ResponseBody {
        self.transformed(by: FailedReading(error: error), length: nil, for: call)
    }

    /// Returns the body that a transform produces from this one.
    ///
    /// - Parameters:
    ///   - transform: The transform.
    ///   - length: The number of bytes that the transform produces; `nil` if it is unknown.
    ///   - call: The call that the body belongs to.
    /// - Returns: A body that reads this one on demand.
    package func transformed<Transform: BodyTransform & ~Copyable>(
        by transform: consuming Transform,
        length: Int64?,
        for call: HTTPCall
    ) -> ResponseBody {
        ResponseBody(TransformedBody(self, transform, length: length, for: call))
    }
}
