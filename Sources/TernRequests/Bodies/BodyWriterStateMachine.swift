// SPDX-License-Identifier: Apache-2.0
import HTTPTypes
import TernFoundation

/// Passes pieces of a body from writing tasks to the reader, and stores only those of waiting tasks.
struct BodyWriterStateMachine: Sendable {
    struct Write: Hashable, Sendable {
        fileprivate let number: Int
    }

    enum WriteOutcome: Hashable, Sendable {
        case taken
        /// The writing task was cancelled; the reader took no part of the piece.
        case cancelled
        /// The writer has finished the body, or has ended it with an error.
        case finished
        /// The call is over or needs no more of the body, or the body was released before a call.
        case notNeeded
    }

    enum ReadOutcome: Sendable {
        case piece(Data)
        case end(trailers: HTTPFields?)
        /// The body ended before it was complete.
        case failed(any Error)
        case cancelled
    }

    struct Effects: Sendable {
        var writes: [(write: Write, outcome: WriteOutcome)] = []
        var reading: ReadOutcome?
    }

    private enum Ending: Sendable {
        case complete(trailers: HTTPFields?)
        case failed(any Error)
    }

    private enum Reader {
        /// The body has no reader yet.
        case absent
        /// The reader does not wait for a piece, for example because the call is still sending the previous one.
        case busy
        /// The reader's task waits for a piece, or for the end.
        case waiting
    }

    private var waiting: [(write: Write, piece: Data)] = []
    private var reader = Reader.absent
    /// The end of the body, as the writer declared it; `nil` while the writer may write more.
    private var ending: Ending?
    private var isOver = false
    private var isClaimedByCall = false
    private var writeCount = 0

    // MARK: The writer

    mutating func begun() -> Write {
        self.writeCount += 1
        return Write(number: self.writeCount)
    }

    mutating func suspended(_ write: Write, with piece: Data, isCancelled: Bool) -> Effects {
        if isCancelled { return Effects(writes: [(write, .cancelled)]) }
        if self.ending != nil { return Effects(writes: [(write, .finished)]) }
        if self.isOver { return Effects(writes: [(write, .notNeeded)]) }
        guard self.reader == .waiting else {
            self.waiting.append((write, piece))
            return Effects()
        }
        self.reader = .busy
        return Effects(writes: [(write, .taken)], reading: .piece(piece))
    }

    mutating func cancelled(_ write: Write) -> Effects {
        // A task that has not suspended yet reports its cancellation when it suspends.
        guard let index = self.waiting.firstIndex(where: { $0.write == write }) else { return Effects() }
        self.waiting.remove(at: index)
        return Effects(writes: [(write, .cancelled)])
    }

    mutating func finished(trailers: HTTPFields?) -> Effects {
        guard self.ending == nil else { return Effects() }
        self.ending = .complete(trailers: trailers)
        // Deliver the end after the pieces of waiting tasks.
        guard self.reader == .waiting else { return Effects() }
        self.reader = .busy
        return Effects(reading: .end(trailers: trailers))
    }

    mutating func failed(_ error: any Error) -> Effects {
        guard self.ending == nil else { return Effects() }
        self.ending = .failed(error)
        var effects = Effects(writes: self.release(with: .finished))
        if self.reader == .waiting {
            self.reader = .busy
            effects.reading = .failed(error)
        }
        return effects
    }

    // MARK: The reader

    mutating func readerMade() -> Bool {
        guard self.reader == .absent, !self.isOver else { return false }
        self.reader = .busy
        return true
    }

    mutating func readRequested(isCancelled: Bool) -> Effects {
        if isCancelled { return Effects(reading: .cancelled) }
        if !self.waiting.isEmpty {
            let (write, piece) = self.waiting.removeFirst()
            return Effects(writes: [(write, .taken)], reading: .piece(piece))
        }
        switch self.ending {
        case .complete(let trailers): return Effects(reading: .end(trailers: trailers))
        case .failed(let error): return Effects(reading: .failed(error))
        case nil where self.isOver: return Effects(reading: .failed(BodyEnded()))
        case nil:
            self.reader = .waiting
            return Effects()
        }
    }

    mutating func readCancelled() -> Effects {
        guard self.reader == .waiting else { return Effects() }
        self.reader = .busy
        return Effects(reading: .cancelled)
    }

    mutating func readerReleased() -> Effects { self.callEnded() }

    // MARK: The call

    mutating func callBegan() -> Bool {
        defer { self.isClaimedByCall = true }
        return !self.isClaimedByCall
    }

    /// Records that a reference to the body was released: the call's reference, or the last of the other references.
    mutating func bodyReleased(byCall: Bool) -> Effects {
        // A body that has a reader, or that a call uses, stays valid without the other references.
        guard self.reader == .absent, byCall || !self.isClaimedByCall else { return Effects() }
        return self.callEnded()
    }

    mutating func callEnded() -> Effects {
        guard !self.isOver else { return Effects() }
        self.isOver = true
        var effects = Effects(writes: self.release(with: .notNeeded))
        if self.reader == .waiting {
            self.reader = .busy
            effects.reading = .failed(BodyEnded())
        }
        return effects
    }

    private mutating func release(with outcome: WriteOutcome) -> [(write: Write, outcome: WriteOutcome)] {
        defer { self.waiting.removeAll() }
        return self.waiting.map { ($0.write, outcome) }
    }
}

/// The error that a reader throws when its body is over: the call ended, or the body was already read.
struct BodyEnded: Error {}

/// The error that a reader throws when the writer was released before it finished the body.
struct WriterReleased: Error {}
