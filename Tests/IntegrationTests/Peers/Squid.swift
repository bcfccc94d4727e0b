// SPDX-License-Identifier: Apache-2.0
import Foundation
import Tern
import TernProxies
import TestSupport

/// A Squid proxy, with a port for each kind of access; see `squid.conf`.
///
/// Squid connects to any host and port of this machine except `forbidden.test`, with CONNECT or by forwarding. Only the
/// proxy can resolve `proxied.test`, to the loopback interface, so a request that arrives there used the proxy.
struct Squid: Sendable {
    /// The names of the ports in the settings.
    enum Port: String, CaseIterable {
        /// The port needs no authentication.
        case open = "OPEN"
        /// The port requires Basic.
        case basic = "BASIC"
        /// The port requires Digest, and a new nonce after five requests.
        case digest = "DIGEST"
        /// The port offers Digest and Basic.
        case both = "BOTH"
        /// The port uses TLS, and needs no authentication.
        case tls = "TLS"
        /// The port uses TLS, and requires Basic.
        case tlsBasic = "TLS_BASIC"

        var isSecure: Bool { self == .tls || self == .tlsBasic }
        var wantsAccount: Bool { self != .open && self != .tls }
    }

    /// A line of Squid's log.
    struct Entry: Equatable {
        var port: Int
        var method: String
        /// The URL; for CONNECT, the host and port.
        var target: String
        var status: Int
        /// The user name in the request, even an invalid one; `nil` if the request has none.
        var user: String?
    }

    private static let start = Task { try await Self.launch() }

    /// The proxy that all tests of this process share.
    static var shared: Squid { get async throws { try await Self.start.value } }

    private let process: PeerProcess
    private let ports: [Port: Int]

    func port(_ port: Port) -> Int { self.ports[port] ?? 0 }

    /// Returns the proxy at a port, for a client's configuration.
    ///
    /// The account defaults to `nil`.
    func proxy(_ port: Port, as account: Account? = nil) -> Proxy {
        let kind: Proxy.Kind = port.isSecure ? .https : .http
        return Proxy(
            kind,
            host: "localhost",
            port: self.port(port),
            user: account?.user,
            password: account?.password
        )
    }

    /// The certificate of the authority that signed the certificate of the ports with TLS.
    var root: CertificateSource { .pemFile(path: self.rootPath) }

    /// The path of that authority's certificate.
    var rootPath: String { self.process.folder.appending(path: "root.pem").path }

    /// Returns the requests so far whose target contains a text; a tunnel is logged when it ends.
    func entries(about text: String) throws -> [Entry] {
        let log = try String(contentsOf: self.process.folder.appending(path: "access.log"), encoding: .utf8)
        return log.split(separator: "\n").compactMap { line in
            let parts = line.split(separator: " ").map(String.init)
            guard parts.count == 5, let port = Int(parts[0]), let status = Int(parts[3]) else { return nil }
            guard parts[2].contains(text) else { return nil }
            let user = parts[4] == "-" ? nil : parts[4]
            return Entry(port: port, method: parts[1], target: parts[2], status: status, user: user)
        }
    }

    private static func launch() async throws -> Squid {
        try await PeerProcess.withFreePorts(Port.allCases.count) { numbers in
            let ports = Dictionary(uniqueKeysWithValues: zip(Port.allCases, numbers))
            let process = try PeerProcess("squid", ["-N", "-d", "1", "-f", "squid.conf"]) { folder in
                try Self.fill(folder, ports)
            }
            try await process.listens(on: numbers)
            return Squid(process: process, ports: ports)
        }
    }

    private static func fill(_ folder: URL, _ ports: [Port: Int]) throws {
        var settings = [
            "FOLDER": folder.path, "HELPERS": "/usr/lib/squid",
            "USER": PeerProcess.isPrivileged ? "cache_effective_user proxy" : "",
        ]
        for (port, number) in ports { settings[port.rawValue] = "\(number)" }
        try PeerProcess.write("squid.conf", to: folder, replacing: settings)
        try Account.write(to: folder)
        try PeerProcess.run(Scripts.path("certificates.sh"), [], in: folder)
        let names = "127.0.0.1 localhost proxied.test forbidden.test\n"
        try Data(names.utf8).write(to: folder.appending(path: "hosts"))
        try PeerProcess.open(folder)
        try PeerProcess.open(folder.appending(path: "good.key"))
    }
}
