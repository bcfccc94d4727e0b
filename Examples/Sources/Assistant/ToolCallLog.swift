// SPDX-License-Identifier: Apache-2.0
import Synchronization

/// The messages of one call of a tool, numbered from 1, for clients that come back.
final class ToolCallLog: Sendable {
    private struct State {
        var events: [[UInt8]] = []
        var isOver = false
        var readers: [Int: AsyncStream<[UInt8]>.Continuation] = [:]
        var readerCount = 0
    }

    private let name: String
    private let id: Int?
    private let state = Mutex(State())

    /// - Parameters:
    ///   - name: The first part of the ID of each event, by which the server finds the log.
    ///   - id: The id of the call, which its response repeats.
    init(name: String, id: Int?) { (self.name, self.id) = (name, id) }

    /// Does the next step of the call: sends a notification of progress and, after the last step, the response.
    func advance(to stepCount: Int) {
        let finishedReaders = self.state.withLock { state -> [Int: AsyncStream<[UInt8]>.Continuation] in
            guard !state.isOver else { return [:] }
            let step = state.events.count + 1
            self.add(.progress(step, of: stepCount), to: &state)
            guard step == stepCount else { return [:] }
            self.add(.response("sunny, 21 degrees", id: self.id), to: &state)
            state.isOver = true
            defer { state.readers = [:] }
            return state.readers
        }
        // Finish the streams without holding the lock, because the end of a stream takes it.
        for reader in finishedReaders.values { reader.finish() }
    }

    /// Returns the events after the one with this number, and each new one until the call is over; `nil` without that event.
    func events(after number: Int) -> AsyncStream<[UInt8]>? {
        self.state.withLock { state in
            guard 0...state.events.count ~= number else { return nil }
            let (stream, continuation) = AsyncStream.makeStream(of: [UInt8].self)
            for event in state.events.dropFirst(number) { continuation.yield(event) }
            if state.isOver {
                continuation.finish()
            } else {
                state.readerCount += 1
                let reader = state.readerCount
                state.readers[reader] = continuation
                continuation.onTermination = { [weak self] _ in self?.leave(reader) }
            }
            return stream
        }
    }

    private func leave(_ reader: Int) { _ = self.state.withLock { $0.readers.removeValue(forKey: reader) } }

    private func add(_ message: ToolMessage, to state: inout State) {
        let event = Array("id: \(self.name)/\(state.events.count + 1)\ndata: \(message.json)\n\n".utf8)
        state.events.append(event)
        for reader in state.readers.values { reader.yield(event) }
    }
}
