// SPDX-License-Identifier: Apache-2.0
import Synchronization
import Tern

/// Sends standard input over a WebSocket, and writes the messages of the server to standard output, until one side
/// closes.
final class WebSocketSession: Sendable {
    struct Plan: Equatable, Sendable {
        /// Whether standard input is one binary message, instead of a text message for each line.
        var isBinary = false
        var wait = WaitArgument.untilQuiet(.milliseconds(500))
        var limit: Int?
        var pingInterval: Duration?
    }

    private struct State {
        var lastReceived = ContinuousClock.now
        var isShowing = false
        var failure: (any Error)?
    }

    private let socket: WebSocket
    private let display: WebSocketDisplay
    private let plan: Plan
    private let input: StandardInput
    private let state = Mutex(State())

    init(_ socket: WebSocket, _ display: WebSocketDisplay, _ plan: Plan, input: StandardInput = StandardInput()) {
        self.socket = socket
        self.display = display
        self.plan = plan
        self.input = input
    }

    /// Closes with 1001 if the task is cancelled, or the reader of the output is gone.
    func run() async throws {
        // Do not wait for these two tasks, because nothing can wake a task that reads from a terminal.
        let tasks = [Task { await self.sendInput() }, Task { await self.sendPings() }]
        defer { for task in tasks { task.cancel() } }
        do {
            try await self.receive()
        } catch {
            await self.close(.goingAway)
            throw error
        }
        await self.close(.normalClosure)
        if let failure = self.state.withLock({ $0.failure }) { throw failure }
    }

    /// Closes the WebSocket even if this task is cancelled, so that the server receives a Close frame.
    private func close(_ code: CloseCode) async {
        let socket = self.socket
        await Task { await socket.close(code: code) }.value
    }

    // MARK: Receiving

    private func receive() async throws {
        try await self.display.opened(self.socket)
        var count = 0
        if case .raw = self.display.format {
            for try await fragment in self.socket.fragments {
                try await self.showing { () async throws(OutputFailure) in try await self.display.show(fragment) }
                count += fragment.isFinal ? 1 : 0
                if count == self.plan.limit { break }
            }
        } else {
            for try await message in self.socket {
                try await self.showing { () async throws(OutputFailure) in try await self.display.show(message) }
                count += 1
                if count == self.plan.limit { break }
            }
        }
    }

    /// The time until something is shown does not count as silence of the server.
    private func showing(_ show: () async throws(OutputFailure) -> Void) async throws(OutputFailure) {
        self.state.withLock { $0.isShowing = true }
        defer {
            self.state.withLock { state in
                state.isShowing = false
                state.lastReceived = .now
            }
        }
        try await show()
    }

    // MARK: Sending

    private func sendInput() async {
        do {
            if self.plan.isBinary {
                try await self.socket.send(.binary, pieces: self.input)
            } else if case .prompt(let prompt) = self.display.format {
                try await self.sendTyped(prompt)
            } else {
                try await self.sendLines()
            }
            try await self.waitForAnswers()
        } catch let error as ClientError where !error.isInput {
            return  // the receiving task gets the error, too
        } catch is CancellationError {
            return
        } catch {
            self.state.withLock { $0.failure = error }
        }
        await self.socket.close()
    }

    private func sendLines() async throws {
        var splitter = LineSplitter()
        for try await piece in self.input {
            for line in try splitter.add(piece) { try await self.socket.send(line) }
        }
        if let line = try splitter.finish() { try await self.socket.send(line) }
    }

    private func sendTyped(_ prompt: Prompt) async throws {
        for try await keys in self.input {
            for event in prompt.type(keys) {
                guard case .line(let line) = event else { return }
                try await self.socket.send(line)
            }
        }
    }

    /// Throws `CancellationError` if only the server should close, or if the task is cancelled.
    private func waitForAnswers() async throws {
        switch self.plan.wait {
        case .forever: throw CancellationError()
        case .untilQuiet(.zero): return
        case .untilQuiet(let duration):
            // The pong means that the server has received everything, however slow the network is.
            _ = try? await self.socket.ping()
            var deadline = ContinuousClock.now + duration
            while ContinuousClock.now < deadline {
                try await Task.sleep(until: deadline)
                deadline = self.state.withLock { state in
                    max(deadline, (state.isShowing ? .now : state.lastReceived) + duration)
                }
            }
        }
    }

    // MARK: Pings

    private func sendPings() async {
        guard let interval = self.plan.pingInterval else { return }
        while (try? await Task.sleep(for: interval)) != nil {
            do throws(ClientError) {
                let roundTrip = try await self.socket.ping()
                try? await self.display.ping(roundTrip)
            } catch {
                guard case .timedOut(.pong, let limit, _) = error else { return }
                self.display.note("the server did not answer a ping within \(limit)")
            }
        }
    }
}

extension ClientError {
    fileprivate var isInput: Bool {
        if case .uploadFailed = self { true } else { false }
    }
}
