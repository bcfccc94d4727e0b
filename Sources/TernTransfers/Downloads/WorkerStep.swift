// SPDX-License-Identifier: Apache-2.0

package enum WorkerStep: Hashable, Sendable {
    /// Discard the previous response's body, wait, then send the request; report
    /// ``DownloadStateMachine/received(status:fields:now:by:using:)`` or ``DownloadStateMachine/cut(by:by:using:)``.
    case send(PartRequest, after: Duration)
    /// Write the body to the partial file, each piece at the place that ``BodyPosition/next(byteCount:)`` returns.
    ///
    /// Report each queued piece with ``DownloadStateMachine/wrote(_:by:isDue:)``, and then, unless the worker has left,
    /// ``DownloadStateMachine/bodyEnded(at:trailers:by:using:)``, ``DownloadStateMachine/cut(by:by:using:)``,
    /// ``DownloadStateMachine/bodyTooLong(by:)``, ``DownloadStateMachine/damaged(by:)`` or
    /// ``DownloadStateMachine/writeFailed(by:)``.
    case receive(Reception)
    /// The worker reports nothing more; keep the response of worker ``DownloadStateMachine/endingNumber``, whose body may be
    /// the next one to receive.
    case leave
}

package struct Reception: Hashable, Sendable {
    package let offset: Int64
    /// `nil` if the server did not announce the end.
    package let end: Int64?
    /// The reason that the bytes so far were dropped; `nil` if no bytes were dropped.
    package let restart: RestartReason?
    /// The reason that an interruption would cost all bytes of this body; `nil` if the download could be continued.
    package let absence: ResourceValidator.Absence?

    package init(offset: Int64, end: Int64?, restart: RestartReason?, absence: ResourceValidator.Absence?) {
        self.offset = offset
        self.end = end
        self.restart = restart
        self.absence = absence
    }
}

/// The places of the pieces of one body; workers share only what they have queued.
package struct BodyPosition: Sendable {
    package private(set) var offset: Int64

    private let end: Int64?

    package init(_ reception: Reception) {
        self.offset = reception.offset
        self.end = reception.end
    }

    /// Returns the place of the piece in the file; `nil` if the body is longer than announced: then queue nothing, and report
    /// ``DownloadStateMachine/bodyTooLong(by:)``.
    package mutating func next(byteCount: Int) -> Range<Int64>? {
        guard Int64(byteCount) <= (self.end ?? .max) - self.offset else { return nil }
        let start = self.offset
        self.offset += Int64(byteCount)
        return start..<self.offset
    }
}

package enum PieceStep: Hashable, Sendable {
    case receive
    /// Synchronize all pieces queued so far, while the workers queue more; then report ``DownloadStateMachine/synced()``.
    case synchronize
    /// The worker has left, but may still report ``DownloadStateMachine/writeFailed(by:)`` for a synchronization.
    case leave
}
