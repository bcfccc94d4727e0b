// SPDX-License-Identifier: Apache-2.0
import HTTPTypes

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// What tasks write, and whether the call wants it: events in, actions out, no effects.
///
/// Nothing is kept but the pieces of tasks that wait: each is given when the body's reader asks for it.
/// ``BodyWriterDriver`` performs what it says.
struct BodyWriterStateMachine: Sendable {
    /// A task that writes a piece.
    struct Write: Hashable, Sendable {
        fileprivate let number: Int
    }

    /// What becomes of a piece.
    enum WriteOutcome: Hashable, Sendable {
        /// The reader has it.
        case taken
        /// Its task was cancelled; no part of it was taken.
        case cancelled
        /// The body was finished before.
        case finished
        /// The call is over, or needs no more of the body.
        case notNeeded
    }

    /// What the reader gets.
    enum ReadOutcome: Sendable {
        /// A piece.
        case piece(Data)
        /// There are no more.
        case end(trailers: HTTPFields?)
        /// There should have been more.
        case failed(any Error)
        /// Its task was cancelled.
        case cancelled
    }

    /// Who is to be resumed, and with what.
    struct Effects: Sendable {
        /// Tasks that write.
        var writes: [(write: Write, outcome: WriteOutcome)] = []
        /// The task that reads, if it is to be resumed.
        var reading: ReadOutcome?
    }

    private enum Ending: Sendable {
        case complete(trailers: HTTPFields?)
        case failed(any Error)
    }

    private enum Reader {
        /// There is none yet.
        case absent
        /// It sends the piece that it has, or has not begun.
        case busy
        /// Its task waits for a piece, or for the end.
        case waiting
    }

    /// Tasks that wait until the reader wants their pieces, in the order in which they came.
    private var waiting: [(write: Write, piece: Data)] = []
    private var reader = Reader.absent
    /// How the writer has ended the body; `nil` while it goes on.
    private var ending: Ending?
    /// Whether the call needs no more of the body.
    private var isOver = false
    private var belongsToCall = false
    private var writeCount = 0

    // MARK: The writer

    /// A task begins to write.
    mutating func begun() -> Write {
        self.writeCount += 1
        return Write(number: self.writeCount)
    }

    /// The task is suspended and can be resumed.
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

    /// The task was cancelled.
    mutating func cancelled(_ write: Write) -> Effects {
        // One that has not suspended yet says so when it does.
        guard let index = self.waiting.firstIndex(where: { $0.write == write }) else { return Effects() }
        self.waiting.remove(at: index)
        return Effects(writes: [(write, .cancelled)])
    }

    /// What was written is all.
    mutating func finished(trailers: HTTPFields?) -> Effects {
        guard self.ending == nil else { return Effects() }
        self.ending = .complete(trailers: trailers)
        // The end stands behind the pieces of tasks that wait.
        guard self.reader == .waiting else { return Effects() }
        self.reader = .busy
        return Effects(reading: .end(trailers: trailers))
    }

    /// There will be no more, though there should be.
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

    /// The body is about to be read.
    ///
    /// - Returns: whether it may be, which is so once.
    mutating func readerMade() -> Bool {
        guard self.reader == .absent, !self.isOver else { return false }
        self.reader = .busy
        return true
    }

    /// The reader's task is suspended and can be resumed.
    mutating func readRequested(isCancelled: Bool) -> Effects {
        if isCancelled { return Effects(reading: .cancelled) }
        if !self.waiting.isEmpty {
            let (write, piece) = self.waiting.removeFirst()
            return Effects(writes: [(write, .taken)], reading: .piece(piece))
        }
        switch self.ending {
        case .complete(let trailers): return Effects(reading: .end(trailers: trailers))
        case .failed(let error): return Effects(reading: .failed(error))
        case nil where self.isOver: return Effects(reading: .failed(BodyIsOver()))
        case nil:
            self.reader = .waiting
            return Effects()
        }
    }

    /// The reader's task was cancelled.
    mutating func readCancelled() -> Effects {
        guard self.reader == .waiting else { return Effects() }
        self.reader = .busy
        return Effects(reading: .cancelled)
    }

    /// The reader was released.
    mutating func readerReleased() -> Effects { self.callEnded() }

    // MARK: The call

    /// A call begins to which the body belongs.
    ///
    /// - Returns: whether it is the first.
    mutating func callBegan() -> Bool {
        defer { self.belongsToCall = true }
        return !self.belongsToCall
    }

    /// The last reference to the body was released: that of the call, or all others.
    mutating func bodyReleased(byCall: Bool) -> Effects {
        // What has a reader, or is in the hands of a call, goes on without those who made it.
        guard self.reader == .absent, byCall || !self.belongsToCall else { return Effects() }
        return self.callEnded()
    }

    /// The call is over, or needs no more of the body.
    mutating func callEnded() -> Effects {
        guard !self.isOver else { return Effects() }
        self.isOver = true
        var effects = Effects(writes: self.release(with: .notNeeded))
        if self.reader == .waiting {
            self.reader = .busy
            effects.reading = .failed(BodyIsOver())
        }
        return effects
    }

    private mutating func release(with outcome: WriteOutcome) -> [(write: Write, outcome: WriteOutcome)] {
        defer { self.waiting.removeAll() }
        return self.waiting.map { ($0.write, outcome) }
    }
}

/// What a reader throws whose body is over, because its call is, or because it was read before.
struct BodyIsOver: Error {}

/// What a reader throws when the writer was released before it was finished.
struct WriterReleased: Error {}
