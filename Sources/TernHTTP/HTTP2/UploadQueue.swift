// SPDX-License-Identifier: Apache-2.0
import DequeModule
import TernConnections

/// The uploads of one connection that wait for the window of the connection, in fair turns.
///
/// An upload that has the turn sends one piece, and passes the turn to the next. While uploads wait, the window is
/// closed, or one of them has the turn; so no upload waits forever, and none overtakes another.
struct UploadQueue {
    private var waits = Deque<HTTP2ExchangeStream.WindowWait>()

    /// Whether no upload waits.
    var isEmpty: Bool { self.waits.isEmpty }

    /// Adds an upload at the end.
    mutating func add(_ wait: HTTP2ExchangeStream.WindowWait) { self.waits.append(wait) }

    /// Passes the turn to the first upload that still waits; an upload that was cancelled does not.
    ///
    /// The upload that had the turn calls it, and the session when the window of the connection has opened.
    mutating func passTurn() {
        while let wait = self.waits.popFirst() {
            if wait.resume(with: .success(())) { return }
        }
    }

    /// Ends all waits, because the connection has ended.
    mutating func fail() {
        while let wait = self.waits.popFirst() { wait.resume(with: .failure(.closed)) }
    }
}
