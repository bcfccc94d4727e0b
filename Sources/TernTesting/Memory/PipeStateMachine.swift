// SPDX-License-Identifier: Apache-2.0
import DequeModule
import NIOCore

/// Tracks the bytes that are on their way in one direction, and returns the steps to perform, as the logic of ``MemoryPipe``.
struct PipeStateMachine: Sendable {
    enum Step {
        case take
        case setWritable(Bool)
        /// Put these bytes into the inbox; if they are the last of those taken, `lastUpTo` is the outbox's number for them.
        case deliver(ByteBuffer, lastUpTo: Int?)
        case end(MemoryPipe.End)
    }

    private enum State {
        /// Bytes can still be delivered; any end ends this state.
        case open
        /// The direction has ended normally; the sender may still end the connection.
        case finished
        /// Nothing more is delivered; pieces that the sender still queues are taken and dropped. Final.
        case ended
    }

    var hasOutgoing = false
    var isWanted = true

    private var pending = Deque<ByteBuffer>()
    private var takenNumber = 0
    private var deliveredByteCount = 0
    private var state = State.open
    private var requestedEnd: MemoryPipe.End?
    private var mustReportRoom = false
    private var reportedRoom = true
    private var faults: DirectionFaults

    init(_ faults: DirectionFaults) { self.faults = faults }

    var isEmpty: Bool { self.pending.isEmpty }

    mutating func taken(_ pieces: [ByteBuffer], number: Int) {
        self.mustReportRoom = true
        self.takenNumber = number
        guard case .open = self.state else { return }
        for piece in pieces { self.faults.read(piece.readableBytesView) }
        self.pending.append(contentsOf: pieces.filter { $0.readableBytes > 0 })
    }

    /// Records how the sender ends the direction; what it has queued until then is taken before the end.
    mutating func endRequested(_ end: MemoryPipe.End) {
        self.hasOutgoing = true
        switch (self.requestedEnd, end) {
        case (nil, _), (.finish, _), (_, .reset), (_, .fail): self.requestedEnd = end
        default: break
        }
    }

    mutating func abandoned() {
        self.pending.removeAll()
        self.state = .ended
    }

    mutating func nextStep() -> Step? {
        if self.hasOutgoing {
            self.hasOutgoing = false
            return .take
        }
        let hasRoom = self.pending.isEmpty
        if self.mustReportRoom || hasRoom != self.reportedRoom {
            self.mustReportRoom = false
            self.reportedRoom = hasRoom
            return .setWritable(hasRoom)
        }
        if let end = self.dueEnd {
            if case .finish = end { self.state = .finished } else { self.state = .ended }
            self.pending.removeAll()
            return .end(end)
        }
        guard case .open = self.state else { return nil }
        guard self.isWanted, let piece = self.takePiece() else { return nil }
        self.isWanted = false
        return .deliver(piece, lastUpTo: self.pending.isEmpty ? self.takenNumber : nil)
    }

    private var dueEnd: MemoryPipe.End? {
        switch (self.state, self.requestedEnd) {
        case (.ended, _), (.finished, .finish), (.finished, nil): return nil
        case (.finished, let end): return end
        case (.open, .reset): return .reset
        case (.open, .fail(let failure)): return .fail(failure)
        case (.open, _): break
        }
        if let ending = self.faults.ending, self.deliveredByteCount >= ending.byteCount {
            if ending.byteCount > 0 || !self.pending.isEmpty { return ending.end }
        }
        if let stall = self.faults.stallByteCount, self.deliveredByteCount >= stall { return nil }
        return self.pending.isEmpty ? self.requestedEnd : nil
    }

    private mutating func takePiece() -> ByteBuffer? {
        let allowance = self.faults.allowance(after: self.deliveredByteCount)
        guard allowance > 0, var first = self.pending.popFirst() else { return nil }
        let count = min(allowance, first.readableBytes)
        let piece = first.readSlice(length: count)
        if first.readableBytes > 0 { self.pending.prepend(first) }
        self.deliveredByteCount += count
        return piece
    }
}
