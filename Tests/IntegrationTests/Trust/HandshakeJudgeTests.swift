// SPDX-License-Identifier: Apache-2.0
import Synchronization
import Tern
import TernConnections
import TernNIO
import TernTesting
import TestSupport
import Testing

/// Tests that a handshake that ends while a delegate decides leaves nothing behind.
@Suite("Trust: handshakes given up", .hangLimit)
struct HandshakeJudgeTests {
    /// Decides when a test says so, even if the task is cancelled.
    private final class Thinker: TLSDecider {
        let asked = Signal()
        let mayDecide = Signal()
        let released: Flag

        init(released: Flag) { self.released = released }

        deinit { self.released.raise() }

        func decide(on trust: ServerTrust, port: Int, isEstablished: Bool) async -> TrustDecision {
            self.asked.report()
            // A separate task waits, because this task may be cancelled.
            await Task { await self.mayDecide.wait() }.value
            return .accept(isForOneCall: false)
        }

        func identity(for request: ClientCertificateRequest) async -> IdentityDecision { .none }
    }

    @Test(arguments: [false, true])
    func `a late answer changes nothing, and nobody is kept`(_ isCancelled: Bool) async throws {
        let server = try await TrustServer.shared
        let released = Flag()
        let clock = ManualClock()
        let connector = NIOConnector(clock: clock)
        let port = server.port(.row(.valid))
        let connection = try await connector.connect(to: .host("127.0.0.1", port: port), deadline: nil)
        do {
            let thinker = Thinker(released: released)
            let configuration = TLSConfiguration(trust: .only(server.roots))
            let deadline = isCancelled ? nil : CallDeadline(.connect, limit: .seconds(10), from: clock.now)
            let handshake = Task {
                do throws(ConnectionError) {
                    _ = try await connection.startTLS(
                        configuration,
                        to: "localhost",
                        port: port,
                        asking: thinker,
                        deadline: deadline
                    )
                    return ConnectionError?.none
                } catch {
                    return error
                }
            }
            await thinker.asked.wait()
            isCancelled ? handshake.cancel() : clock.advance(by: .seconds(10))
            let failure = await handshake.value
            #expect(failure == (isCancelled ? .cancelled : deadline.map { .timedOut($0) }))
            thinker.mayDecide.report()
        }
        try await eventually("the decider is released") { released.isRaised }
        // The late answer has not opened the connection again.
        await #expect(throws: ConnectionError.closed) { try await connection.read(atLeast: 1, deadline: nil) }
    }

    @Test func `the connection is closed while somebody still thinks`() async throws {
        let server = try await OpenSSLServer.launch()
        let thinker = Thinker(released: Flag())
        let connection = try await NIOConnector().connect(to: .host("127.0.0.1", port: server.port), deadline: nil)
        let configuration = TLSConfiguration(trust: .only(try await TrustServer.shared.roots))
        let handshake = Task {
            try? await connection.startTLS(
                configuration,
                to: "localhost",
                port: server.port,
                asking: thinker,
                deadline: nil
            )
        }
        await thinker.asked.wait()
        handshake.cancel()
        #expect(await handshake.value == nil)
        try await eventually("the connection is closed") { OpenSockets.count(toPort: server.port) == 0 }
        thinker.mayDecide.report()
    }
}
