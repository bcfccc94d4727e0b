// SPDX-License-Identifier: Apache-2.0
import TernAuthentication
package import TernConnections
package import TernTesting

/// Connectors whose servers use the version of HTTP under test.
extension MemoryConnector {
    /// Creates a connector that serves its connections with a closure.
    package static func tested(
        plan: ConnectionPlan = .accept(),
        clock: any TransportClock = SystemClock(),
        capacity: Int = 64 << 10,
        trust: @escaping Trust = { ServerTrust(host: $0, chain: [Array($0.utf8)], verifiedChain: [Array($0.utf8)]) },
        connection server: @escaping Server
    ) -> MemoryConnector {
        MemoryConnector(
            version: TestedVersion.version,
            plan: plan,
            clock: clock,
            capacity: capacity,
            trust: trust,
            connection: server
        )
    }

    /// Creates a connector that serves its connections with a scripted server.
    package static func tested(
        _ server: ScriptedServer,
        plan: ConnectionPlan = .accept(),
        clock: any TransportClock = SystemClock(),
        capacity: Int = 64 << 10,
        trust: @escaping Trust = { ServerTrust(host: $0, chain: [Array($0.utf8)], verifiedChain: [Array($0.utf8)]) }
    ) -> MemoryConnector {
        self.tested(plan: plan, clock: clock, capacity: capacity, trust: trust, connection: { await server.serve($0) })
    }

    /// Creates a connector whose server answers each request with a closure.
    package static func tested(
        plan: ConnectionPlan = .accept(),
        clock: any TransportClock = SystemClock(),
        capacity: Int = 64 << 10,
        trust: @escaping Trust = { ServerTrust(host: $0, chain: [Array($0.utf8)], verifiedChain: [Array($0.utf8)]) },
        answer: @escaping ScriptedServer.Answer
    ) -> MemoryConnector {
        self.tested(ScriptedServer(answer), plan: plan, clock: clock, capacity: capacity, trust: trust)
    }
}
