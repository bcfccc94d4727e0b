// SPDX-License-Identifier: Apache-2.0
import ClientTestSupport
import HTTPTypes
import Synchronization
import TernConnections
import TernErrors
import TernTesting
import TernWebSocket
import TernWebSocketCore
import TestSupport
import Testing

@Suite("Reconnecting", .hangLimit)
struct ReconnectingTests {
    /// Returns the events, as text.
    private static func line(_ event: ReconnectingWebSocket.Element) -> String {
        switch event {
        case .connected: "connected"
        case .reconnected: "reconnected"
        case .message(.text(let text)): text
        case .message: "binary"
        case .disconnected(let disconnection, let attempt):
            "disconnected \(disconnection.closeCode.map { "\($0)" } ?? "-") \(attempt)"
                + (disconnection.retryDelay == nil ? " for good" : "")
        }
    }

    /// Runs a sequence to its end, and advances the clock while the sequence waits.
    ///
    /// On a busy machine, the clock may advance by minutes while a WebSocket is open. By default, no WebSocket counts
    /// as stable, so the number of attempts does not depend on the clock.
    private static func run(
        _ scene: Scene,
        _ policy: ReconnectionPolicy = ReconnectionPolicy(stableDuration: .seconds(1_000_000_000)),
        onConnect: ReconnectingWebSocket.Hook? = nil,
        onEvent: @escaping @Sendable (ReconnectingWebSocket.Element) async -> Void = { _ in }
    ) async -> (lines: [String], error: ClientError?) {
        let sequence = ReconnectingWebSocket(
            policy: policy,
            clock: scene.clock,
            connect: { () async throws(ClientError) -> WebSocket in try await scene.open() },
            onConnect: onConnect
        )
        let task = Task<(lines: [String], error: ClientError?), any Error> {
            var lines: [String] = []
            do throws(ClientError) {
                for try await event in sequence {
                    lines.append(Self.line(event))
                    await onEvent(event)
                }
                return (lines, nil)
            } catch {
                return (lines, error)
            }
        }
        return (try? await scene.clock.advance(until: task).get()) ?? ([], nil)
    }

    @Test func `one sequence outlives its sockets, and subscribes each time`() async throws {
        let number = Mutex(0)
        let scene = Scene { server in
            let subscription = try await server.receive()
            let number = number.withLock { number in
                number += 1
                return number
            }
            try await server.send(.text("\(subscription?.text ?? "") \(number)"))
            if number == 1 { return server.connection.reset() }
            try await server.sendClose(number == 2 ? .goingAway : .normalClosure)
            while let frame = try await server.receive(), frame.opcode != .close {}
        }
        let (lines, error) = await Self.run(scene) { socket throws(ClientError) in try await socket.send("subscribe") }
        #expect(
            lines == [
                "connected", "subscribe 1", "disconnected - 1", "reconnected", "subscribe 2", "disconnected 1001 2",
                "reconnected", "subscribe 3", "disconnected 1000 3 for good",
            ]
        )
        #expect(error == nil)
        try await scene.connector.waitForOpen(0)
    }

    @Test func `attempts that fail are counted, and the last one's error is thrown`() async throws {
        let scene = Scene(plan: .refuse(.notConnected(.refused))) { _ in }
        let (lines, error) = await Self.run(scene, ReconnectionPolicy(maximumAttemptCount: 3))
        #expect(lines == ["disconnected - 1", "disconnected - 2", "disconnected - 3", "disconnected - 4 for good"])
        guard case .connectionFailed(.refused, _)? = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect(scene.connector.attemptCount == 4)
    }

    @Test(arguments: [(429, "7", 7), (503, "3600", 60), (503, "soon", 0)])
    func `Retry-After is obeyed, for a minute at most`(_ status: Int, _ text: String, _ seconds: Int) async throws {
        let response = HTTPResponse(status: .init(code: status), headerFields: [.retryAfter: text])
        let policy = ReconnectionPolicy(initialDelay: .zero)
        let sequence = ReconnectingWebSocket(policy: policy, clock: ManualClock()) {
            () async throws(ClientError) -> WebSocket in
            throw .webSocketRefused(WebSocketFailure(.status(status)), .init(phase: .head, response: response))
        }
        var iterator = sequence.makeAsyncIterator()
        guard case .disconnected(let disconnection, 1)? = try await iterator.next() else {
            Issue.record("the sequence did not report the refusal")
            return
        }
        #expect(disconnection.retryDelay == .seconds(seconds))
    }

    @Test func `a failure that is final is thrown at once`() async throws {
        let scene = Scene(plan: .refuse(.tls(.rejected))) { _ in }
        let (lines, error) = await Self.run(scene)
        #expect(lines == ["disconnected - 1 for good"])
        guard case .tlsFailed? = error else {
            Issue.record("\(String(describing: error))")
            return
        }
    }

    @Test func `closing on this side is final`() async throws {
        let scene = Scene { server in while try await server.receive() != nil {} }
        let close: @Sendable (ReconnectingWebSocket.Element) async -> Void = { event in
            if case .connected(let socket) = event { socket.cancel() }
        }
        let (lines, error) = await Self.run(scene, onEvent: close)
        #expect(lines == ["connected", "disconnected - 1 for good"])
        #expect(error == nil)
    }

    @Test func `cancellation during the pause, or while open, ends all at once`() async throws {
        for plan in [ConnectionPlan.refuse(.notConnected(.refused)), .accept()] {
            let scene = Scene(plan: plan) { server in await server.connection.waitForEnd() }
            let sequence = ReconnectingWebSocket(clock: scene.clock) { () async throws(ClientError) -> WebSocket in
                try await scene.open()
            }
            let happened = Flag()
            let task = Task { () -> ClientError? in
                do throws(ClientError) {
                    for try await _ in sequence { happened.raise() }
                    return nil
                } catch {
                    return error
                }
            }
            await happened.wait()
            task.cancel()
            #expect(await task.value?.isCancellation == true)
            try await scene.connector.waitForOpen(0)
            try await eventually("no timer is left") { scene.clock.scheduledCount == 0 }
        }
    }

    @Test func `leaving the loop closes the socket`() async throws {
        let scene = Scene { server in await server.connection.waitForEnd() }
        do {
            let sequence = ReconnectingWebSocket(clock: scene.clock) { () async throws(ClientError) -> WebSocket in
                try await scene.open()
            }
            for try await _ in sequence { break }
        }
        try await scene.connector.waitForOpen(0)
    }
}

@Suite("ReconnectionPolicy")
struct ReconnectionPolicyTests {
    /// A random number generator that always returns the largest number, so that a random delay is the maximum.
    private struct Largest: RandomNumberGenerator {
        func next() -> UInt64 { .max }
    }

    @Test func `the bound doubles up to the cap`() {
        let policy = ReconnectionPolicy(initialDelay: .seconds(1), maximumDelay: .seconds(30))
        var generator = Largest()
        let delays = (1...8).map { policy.delay(before: $0, using: &generator).components.seconds }
        #expect(delays == [1, 2, 4, 8, 16, 30, 30, 30])
        #expect(policy.delay(before: .max, using: &generator) <= .seconds(30))
    }

    @Test func `the pause is random`() {
        let policy = ReconnectionPolicy(initialDelay: .seconds(8), maximumDelay: .seconds(8))
        var generator = SystemRandomNumberGenerator()
        let delays = (0..<100).map { _ in policy.delay(before: 1, using: &generator) }
        #expect(delays.allSatisfy { .zero <= $0 && $0 <= .seconds(8) })
        #expect(Set(delays).count > 90)
        #expect(delays.contains { $0 < .seconds(3) } && delays.contains { $0 > .seconds(5) })
    }

    static let context = ClientError.Context(phase: .messages)
    static let finals: [(WebSocketDisconnection, Bool)] = [
        (.init(closeCode: .normalClosure), true), (.init(closeCode: .goingAway), false),
        (.init(closeCode: .policyViolation), true), (.init(closeCode: .serviceRestart), false),
        (.init(closeCode: nil), false), (.init(error: .connectionLost(.closed, context)), false),
        (.init(error: .connectionLost(.shutDown, context)), true),
        (.init(error: .webSocketRefused(WebSocketFailure(.status(503)), context)), false),
        (.init(error: .webSocketRefused(WebSocketFailure(.status(403)), context)), true),
        (.init(error: .webSocketRefused(WebSocketFailure(.status(429)), context)), false),
        (.init(error: .webSocketRefused(WebSocketFailure(.handshake(section: "", reason: "")), context)), true),
        (.init(error: .timedOut(.pong, limit: .seconds(1), context)), false),
        (.init(error: .messageTooLarge(limit: 1, context)), true),
        (.init(error: .tlsFailed(.closed, context)), false),
        (.init(error: .tlsFailed(.wrongHost(), context)), true),
        (.init(error: .tlsFailed(.plainHTTP, context)), true),
        (.init(error: .tlsFailed(.noCommonAlgorithm, context)), true),
        (.init(error: .tlsFailed(.handshake(""), context)), false),
        (.init(error: .redirectFailed(.loop, context)), true),
        (.init(error: .connectionFailed(.refused, context)), false),
        (.init(error: .connectionFailed(.noNetwork, context)), false),
        (.init(error: .connectionFailed(.resolution(isTemporary: false), context)), false),
        (.init(error: .authenticationFailed(.cancelled, context)), true),
        (.init(error: .interceptorFailed(CancellationError(), context)), false),
        (.init(error: .proxyFailed(.authenticationRequired, context)), true),
        (.init(error: .proxyFailed(.refused(status: 403), context)), true),
        (.init(error: .proxyFailed(.refused(status: 502), context)), false),
        (.init(error: .proxyFailed(.socks(.hostUnreachable), context)), false),
        (.init(error: .proxyFailed(.socks(.notAllowed), context)), true),
    ]

    @Test(arguments: [200, 204, 301, 302, 304, 400, 401, 403, 404, 426, 501, 505])
    func `an answer with another status than those that pass is final`(_ status: Int) {
        let error = ClientError.webSocketRefused(WebSocketFailure(.status(status)), Self.context)
        #expect(!error.isRetryable)
        #expect(ReconnectionPolicy.isFinalByDefault(WebSocketDisconnection(error: error)))
    }

    @Test(arguments: ClientError.transientStatusCodes.sorted())
    func `an answer with a status that passes is not final`(_ status: Int) {
        let error = ClientError.webSocketRefused(WebSocketFailure(.status(status)), Self.context)
        #expect(error.isRetryable)
        #expect(!ReconnectionPolicy.isFinalByDefault(WebSocketDisconnection(error: error)))
    }

    @Test(arguments: finals)
    func `these failures are final, and those are not`(disconnection: WebSocketDisconnection, isFinal: Bool) {
        #expect(ReconnectionPolicy.isFinalByDefault(disconnection) == isFinal)
    }
}
