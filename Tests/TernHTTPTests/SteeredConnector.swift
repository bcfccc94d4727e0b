// SPDX-License-Identifier: Apache-2.0
import ClientTestSupport
import NIOCore
import Synchronization
import TernAuthentication
import TernConnections
import TernErrors
import TernTesting

/// A connector whose connections negotiate a protocol that the test chooses, and close when the test says so.
final class SteeredConnector: Connector {
    let base: MemoryConnector
    /// Controls when connections close.
    ///
    /// By default, a connection closes at once.
    let closings = Closings()
    /// The hosts that TLS was negotiated with inside tunnels.
    let layers = Journal<String>()
    private let applicationProtocol: String?
    private let addresses: [String: String]
    private let certificateNames: Set<String>

    /// - Parameters:
    ///   - base: Makes the connections.
    ///   - applicationProtocol: The protocol that all servers choose by ALPN.
    ///   - addresses: The addresses of hosts.
    ///   - certificateNames: The hosts that the certificate of all servers is valid for, beside their own.
    init(
        _ base: MemoryConnector,
        applicationProtocol: String? = nil,
        addresses: [String: String] = [:],
        certificateNames: Set<String> = []
    ) {
        self.base = base
        self.applicationProtocol = applicationProtocol
        self.addresses = addresses
        self.certificateNames = certificateNames
    }

    func connect(
        to endpoint: ConnectionEndpoint,
        deadline: CallDeadline?
    ) async throws(ConnectionError) -> any Connection {
        let connection = try await self.base.connect(to: endpoint, deadline: deadline)
        var addresses = ConnectionAddresses()
        if case .host(let host, let port) = endpoint {
            addresses = ConnectionAddresses(remote: self.addresses[host].map { "\($0):\(port)" })
        }
        return SteeredConnection(
            connection,
            self.closings,
            self.applicationProtocol,
            addresses,
            self.certificateNames
        )
    }
}

/// The connections that are being closed.
final class Closings: Sendable {
    private struct State {
        var isHeld = false
        var actions: [@Sendable () -> Void] = []
    }

    private let state = Mutex(State())

    /// The number of connections that are being closed.
    var count: Int { self.state.withLock { $0.actions.count } }

    /// From now on, connections close only at ``finish()``.
    func hold() { self.state.withLock { $0.isHeld = true } }

    /// Closes all connections that are being closed.
    func finish() {
        let actions = self.state.withLock { state in
            defer { state = State() }
            return state.actions
        }
        for action in actions { action() }
    }

    func add(_ action: @escaping @Sendable () -> Void) {
        let isHeld = self.state.withLock { state in
            if state.isHeld { state.actions.append(action) }
            return state.isHeld
        }
        if !isHeld { action() }
    }
}

final class SteeredConnection: ForwardingConnection {
    let base: any Connection
    private let closings: Closings
    private let applicationProtocol: String?
    private let certificateNames: Set<String>
    let addresses: ConnectionAddresses

    init(
        _ base: any Connection,
        _ closings: Closings,
        _ applicationProtocol: String?,
        _ addresses: ConnectionAddresses,
        _ certificateNames: Set<String>
    ) {
        self.addresses = addresses
        self.certificateNames = certificateNames
        self.base = base
        self.closings = closings
        self.applicationProtocol = applicationProtocol
    }

    func startTLS(
        _ configuration: TLSConfiguration,
        to host: String,
        port: Int,
        asking decider: (any TLSDecider)?,
        deadline: CallDeadline?
    ) async throws(ConnectionError) -> TLSFacts {
        let facts = try await self.base
            .startTLS(configuration, to: host, port: port, asking: decider, deadline: deadline)
        let chosen = TLSFacts(
            version: facts.version,
            applicationProtocol: self.applicationProtocol,
            trust: facts.trust,
            isForOneCall: facts.isForOneCall
        )
        return TLSFacts(chosen) { [certificateNames] host in
            let isValid = certificateNames.contains(host)
            return ServerTrust(host: host, chain: facts.trust.chain, evaluation: isValid ? nil : .wrongHost(names: []))
        }
    }

    func close(then action: @escaping @Sendable () -> Void) {
        self.base.close()
        self.closings.add(action)
    }
}
