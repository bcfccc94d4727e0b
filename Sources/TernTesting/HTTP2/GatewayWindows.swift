// SPDX-License-Identifier: Apache-2.0

/// The windows of a client, which limit the bytes that a gateway may send to it (RFC 9113 §5.2).
final class GatewayWindows: Sendable {
    private struct State: Sendable {
        var connection = 65_535
        var initial = 65_535
        var streams: [Int: Int] = [:]

        /// `nil` if the stream is closed.
        func byteCount(for stream: Int) -> Int? { self.streams[stream].map { min($0, self.connection) } }
    }

    private let state = Observed(State())

    func open(_ stream: Int) { self.state.update { $0.streams[stream] = $0.initial } }

    func close(_ stream: Int) { self.state.update { $0.streams[stream] = nil } }

    /// Applies a WINDOW_UPDATE; stream 0 is the connection.
    func widen(_ stream: Int, by byteCount: Int) {
        self.state.update { state in
            if stream == 0 { state.connection += byteCount } else { state.streams[stream]? += byteCount }
        }
    }

    /// Applies SETTINGS_INITIAL_WINDOW_SIZE, which also changes the windows of open streams (RFC 9113 §6.9.2).
    func setInitial(_ byteCount: Int) {
        self.state.update { state in
            for stream in state.streams.keys { state.streams[stream]? += byteCount - state.initial }
            state.initial = byteCount
        }
    }

    /// Waits until a stream may send at least one byte, and uses up its window; `nil` if it is closed, or after cancellation.
    func take(atMost byteCount: Int, for stream: Int) async -> Int? {
        while await self.state.wait(until: { $0.byteCount(for: stream) ?? 1 > 0 }) {
            let taken = self.state.update { state -> Int? in
                guard let room = state.byteCount(for: stream) else { return nil }
                let taken = max(0, min(room, byteCount))
                state.connection -= taken
                state.streams[stream]? -= taken
                return taken
            }
            guard let taken else { return nil }
            if taken > 0 { return taken }
        }
        return nil
    }
}
