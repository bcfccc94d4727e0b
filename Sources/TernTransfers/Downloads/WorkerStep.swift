// SPDX-License-Identifier: Apache-2.0

/// The next action of one worker of a download.
package enum WorkerStep: Hashable, Sendable {
    /// Wait this long, then send the request. Discard the body of the previous response, if any.
    ///
    /// Report the head with ``DownloadStateMachine/received(status:fields:now:by:using:)``, or the failure with
    /// ``DownloadStateMachine/cut(by:by:using:)``.
    case send(PartRequest, after: Duration)
    /// Write the body of the response to the partial file.
    ///
    /// Ask ``BodyPosition/next(byteCount:)`` for the place of each piece. When the piece is queued to be written, report
    /// it with ``DownloadStateMachine/wrote(_:by:isDue:)``. Report the end with
    /// ``DownloadStateMachine/bodyEnded(at:trailers:by:using:)``, or what went wrong with
    /// ``DownloadStateMachine/cut(by:by:using:)``, ``DownloadStateMachine/bodyTooLong(by:)``,
    /// ``DownloadStateMachine/damaged(by:)`` or ``DownloadStateMachine/writeFailed(by:)``.
    case receive(Reception)
    /// The worker has left, and reports nothing more.
    ///
    /// If it has made all workers leave, as ``DownloadStateMachine/endingNumber`` says when all have left, keep its
    /// response, if it has one: the body may be the next one to receive.
    case leave
}

/// The way to receive the body of one response.
package struct Reception: Hashable, Sendable {
    /// The position of the body's first byte in the file.
    package let offset: Int64
    /// The position after the body's last byte; `nil` if the server did not announce it.
    package let end: Int64?
    /// The reason that the bytes so far were dropped; `nil` if none were.
    package let restart: RestartReason?
    /// The reason that an interruption would cost all bytes of this body; `nil` if the download could be continued.
    package let absence: ResourceValidator.Absence?

    /// Creates the way to receive a body.
    package init(offset: Int64, end: Int64?, restart: RestartReason?, absence: ResourceValidator.Absence?) {
        self.offset = offset
        self.end = end
        self.restart = restart
        self.absence = absence
    }
}

/// The places of the pieces of one body.
///
/// Each worker has its own, so that workers share only what they have queued.
package struct BodyPosition: Sendable {
    /// The position of the next piece in the file.
    package private(set) var offset: Int64

    private let end: Int64?

    /// Creates the position of the first piece of a body.
    package init(_ reception: Reception) {
        self.offset = reception.offset
        self.end = reception.end
    }

    /// Moves to the end of a piece that has arrived.
    ///
    /// - Parameter byteCount: The length of the piece, at least 0.
    /// - Returns: The place of the piece in the file; `nil` if the body with this piece is longer than the server
    ///   announced. Then queue nothing, and report ``DownloadStateMachine/bodyTooLong(by:)``.
    package mutating func next(byteCount: Int) -> Range<Int64>? {
        guard Int64(byteCount) <= (self.end ?? .max) - self.offset else { return nil }
        let start = self.offset
        self.offset += Int64(byteCount)
        return start..<self.offset
    }
}

/// The next action of a worker that has queued a piece to be written.
package enum PieceStep: Hashable, Sendable {
    /// Receive the next piece.
    case receive
    /// Begin a synchronization of the file's data, and receive the next piece.
    ///
    /// The synchronization covers everything that any worker has queued. It may run while more pieces are queued; report
    /// its end with ``DownloadStateMachine/synced()``. Until then, the machine asks for no other.
    case synchronize
    /// The worker has left, as with ``WorkerStep/leave``.
    ///
    /// It may still report with ``DownloadStateMachine/writeFailed(by:)`` that a synchronization has failed.
    case leave
}
