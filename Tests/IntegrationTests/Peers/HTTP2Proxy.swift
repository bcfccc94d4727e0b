// SPDX-License-Identifier: Apache-2.0
import Foundation
import Tern
import TernProxies
import TestSupport

/// A proxy that speaks HTTP/2 with its clients: nghttpx, which passes the requests on to Squid.
struct HTTP2Proxy: Sendable {
    private static let starts: [Squid.Port: Task<HTTP2Proxy, any Error>] = [
        .open: Task { try await Self.launch(before: .open) },
        .basic: Task { try await Self.launch(before: .basic) },
    ]

    private let process: PeerProcess
    let port: Int

    /// Returns the proxy before a port of Squid, which all tests of this process share.
    static func before(_ port: Squid.Port) async throws -> HTTP2Proxy {
        guard let start = Self.starts[port] else { throw CocoaError(.featureUnsupported) }
        return try await start.value
    }

    /// Returns the proxy for a client's configuration.
    func proxy(as account: Account?) -> Proxy {
        Proxy(.https, host: "localhost", port: self.port, user: account?.user, password: account?.password)
    }

    /// The certificate of the authority that signed the proxy's certificate.
    var root: CertificateSource { .pemFile(path: self.process.folder.appending(path: "root.pem").path) }

    /// Starts a proxy before a port of Squid.
    static func launch(before squid: Squid.Port) async throws -> HTTP2Proxy {
        let backend = try await Squid.shared.port(squid)
        return try await PeerProcess.withFreePorts(1) { ports in
            let arguments = [
                "--conf=nghttpx.conf", "--http2-proxy", "--single-process", "--workers=1", "--no-ocsp",
                "--frontend=127.0.0.1,\(ports[0])", "--backend=127.0.0.1,\(backend)", "good.key", "good.pem",
            ]
            let process = try PeerProcess("nghttpx", arguments) { folder in
                try PeerProcess.run(Scripts.path("certificates.sh"), [], in: folder)
                try Data().write(to: folder.appending(path: "nghttpx.conf"))  // not the system's settings
            }
            try await process.listens(on: ports)
            return HTTP2Proxy(process: process, port: ports[0])
        }
    }
}
