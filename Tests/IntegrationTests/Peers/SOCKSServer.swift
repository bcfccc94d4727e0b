// SPDX-License-Identifier: Apache-2.0
import Foundation
import TernProxies
import TestSupport

/// A SOCKS proxy, which connects to any host and port of this machine.
struct SOCKSServer: Sendable {
    /// A port to which ``open`` refuses to connect.
    static let forbiddenPort = 9

    private static let startOpen = Task { try await Self.launchDante() }
    private static let startClosed = Task { try await Self.launchMicrosocks() }

    /// A Dante server without authentication.
    static var open: SOCKSServer { get async throws { try await Self.startOpen.value } }

    /// A microsocks server that requires the user name and password of ``Account/albert``.
    static var closed: SOCKSServer { get async throws { try await Self.startClosed.value } }

    private let process: PeerProcess
    let port: Int

    /// Returns the proxy for a client's configuration.
    ///
    /// The account defaults to `nil`.
    func proxy(as account: Account? = nil) -> Proxy {
        Proxy(.socks5, host: "127.0.0.1", port: self.port, user: account?.user, password: account?.password)
    }

    private static func launchDante() async throws -> SOCKSServer {
        try await PeerProcess.withFreePorts(1) { ports in
            let process = try PeerProcess("danted", ["-f", "danted.conf", "-p", "danted.pid"]) { folder in
                let user = PeerProcess.isPrivileged ? "user.privileged: root\nuser.unprivileged: nobody" : ""
                try PeerProcess.write("danted.conf", to: folder, replacing: ["PORT": "\(ports[0])", "USER": user])
            }
            try await process.listens(on: ports)
            return SOCKSServer(process: process, port: ports[0])
        }
    }

    private static func launchMicrosocks() async throws -> SOCKSServer {
        try await PeerProcess.withFreePorts(1) { ports in
            let account = ["-u", Account.albert.user, "-P", Account.albert.password]
            let process = try PeerProcess("microsocks", ["-i", "127.0.0.1", "-p", "\(ports[0])"] + account)
            try await process.listens(on: ports)
            return SOCKSServer(process: process, port: ports[0])
        }
    }
}
