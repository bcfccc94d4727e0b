// SPDX-License-Identifier: Apache-2.0
import DequeModule
import TernConnections

/// The uploads of one connection that wait for the window of the connection, in fair turns.
///
/// An upload that has the turn sends one piece, and passes the turn to the next. While uploads wait, the window is
/// closed, or one of them has the turn; so no upload waits forever, and none overtakes another.
struct UploadQueue<Wait> {
    private var waits = Deque<Wait>()

    /// Whether no upload waits.
    var isEmpty: Bool { self.waits.isEmpty }

    /// Adds an upload at the end.
    mutating func add(_ wait: Wait) { self.waits.append(wait) }

    /// Takes the first upload.
    mutating func removeFirst() -> Wait? { self.waits.popFirst() }
}

extension UploadQueue where Wait == HTTP2ExchangeStream.WindowWait {
    /// Passes the turn to the first upload that still waits; one that was cancelled does not.
    mutating func passTurn() {
        while let wait = self.removeFirst() {
            if wait.resume(with: .success(())) { return }
        }
    }

    /// Ends all waits, because the connection has ended.
    mutating func fail() {
        while let wait = self.removeFirst() { wait.resume(with: .failure(.closed)) }
    }

    /// The window of the connection has opened.
    mutating func windowOpened() { self.passTurn() }
}
