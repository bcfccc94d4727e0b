// SPDX-License-Identifier: Apache-2.0
import NIOCore
import Synchronization
import TernErrors

extension ResponseBody {
    /// Creates a body from the chunks of an asynchronous sequence.
    ///
    /// The body requests a chunk when its reader needs one. The client's time limits do not end the wait for a chunk, but
    /// cancellation does if the sequence observes it.
    ///
    /// If the sequence throws a `ClientError`, the reader gets this error. If the reading task is cancelled, and the sequence
    /// therefore ends or throws `CancellationError`, the reader gets `ClientError.cancelled`. The reader gets any other error
    /// within `ClientError.interceptorFailed`.
    ///
    /// - Parameters:
    ///   - chunks: Chunks of any size, such as `Data` or `[UInt8]`; the body skips empty chunks.
    ///   - length: The total number of bytes, which the body does not check; `nil` if it is unknown.
    public init<Chunks: AsyncSequence & Sendable>(
        chunks: Chunks,
        length: Int64? = nil
    ) where Chunks.Element: Sequence<UInt8> {
        self.init(ChunkSource(chunks, length: length))
    }

    /// Creates a body that requests the chunks of a sequence when its reader needs them.
    ///
    /// - Parameters:
    ///   - chunks: Chunks of any size, such as `Data` or `[UInt8]`; the body skips empty chunks.
    ///   - length: The total number of bytes, which the body does not check; `nil` if it is unknown.
    public init<Chunks: Sequence & Sendable>(
        chunks: Chunks,
        length: Int64? = nil
    ) where Chunks.Element: Sequence<UInt8> {
        self.init(ChunkSource(Stepping(base: chunks), length: length))
    }
}

private struct Stepping<Base: Sequence & Sendable>: AsyncSequence, Sendable {
    struct Iterator: AsyncIteratorProtocol {
        var base: Base.Iterator

        mutating func next(isolation actor: isolated (any Actor)?) async throws(Never) -> Base.Element? {
            self.base.next()
        }

        mutating func next() async throws(Never) -> Base.Element? { self.base.next() }
    }

    let base: Base

    func makeAsyncIterator() -> Iterator { Iterator(base: self.base.makeIterator()) }
}

private final class ChunkSource<Chunks: AsyncSequence & Sendable>: ResponseBodySource
where Chunks.Element: Sequence<UInt8> {
    /// Invariant of the unchecked conformance: only the task that has the turn uses the iterator.
    private struct Progress: @unchecked Sendable {
        var iterator: Chunks.AsyncIterator
    }

    let length: Int64?

    private let turn: ReadTurn<Progress>

    init(_ chunks: Chunks, length: Int64?) {
        self.length = length
        self.turn = ReadTurn(Progress(iterator: chunks.makeAsyncIterator()))
    }

    func next(atLeast byteCount: Int) async throws(ClientError) -> ByteBuffer? {
        guard var progress = try self.turn.take(Self.context) else { return nil }
        do {
            while let chunk = try await progress.iterator.next(isolation: #isolation) {
                let bytes = ByteBuffer(bytes: chunk)
                guard bytes.readableBytes > 0 else { continue }
                self.turn.giveBack(progress)
                return bytes
            }
        } catch {
            self.turn.end()
            throw Self.failure(error)
        }
        self.turn.end()
        // An `AsyncStream` also ends when the reading task is cancelled. The body is not complete then.
        if Task.isCancelled { throw .cancelled(Self.context) }
        return nil
    }

    func discard() { _ = self.turn.discard() }

    private static var context: ClientError.Context { ClientError.Context(phase: .body) }

    private static func failure(_ error: any Error) -> ClientError {
        switch error {
        case let error as ClientError: error
        case is CancellationError where Task.isCancelled: .cancelled(self.context)
        default: .interceptorFailed(error, self.context)
        }
    }
}
