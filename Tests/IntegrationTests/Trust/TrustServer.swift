// SPDX-License-Identifier: Apache-2.0
import ClientTestSupport
import Foundation
import Tern
import TernConnections
import TernNIO
import TestSupport

/// An nginx server that presents each row of the certificate matrix, and asks clients for certificates.
///
/// The server listens on a port and on a Unix-domain socket for each entry. Through the socket, a test can request any
/// host name.
struct TrustServer: Sendable {
    /// The server's settings for one port and socket.
    enum Entry: Hashable, CaseIterable {
        /// The server presents the chain of a row.
        case row(CertificateMatrix.Row)
        /// The server supports only TLS 1.2.
        case tls12
        /// The server supports only TLS 1.3.
        case tls13
        /// The server asks for the client's certificate, and answers 400 without a trusted certificate.
        case mutual
        /// The server does the same as for ``mutual``, with TLS 1.2.
        case mutual12
        /// The server asks for the client's certificate, but does not require it.
        case optional
        /// The server does the same as for ``mutual``, with HTTP/2.
        case http2Mutual
        /// The server does the same as for ``optional``, with HTTP/2.
        case http2Optional
        /// The server speaks HTTP/2, with a self-signed certificate.
        case http2SelfSigned
        /// The server does not use TLS.
        case plain

        /// All entries except the certificate signed with SHA-1, which nginx refuses to present.
        static let allCases: [Self] =
            CertificateMatrix.Row.allCases.filter { $0 != .withdrawnDigest }.map { .row($0) }
            + [.tls12, .tls13, .mutual, .mutual12, .optional, .plain] + Self.http2Cases

        static let http2Cases: [Self] = [.http2Mutual, .http2Optional, .http2SelfSigned]

        var name: String {
            switch self {
            case .row(let row): row.rawValue
            default: "\(self)"
            }
        }
    }

    /// The server's report about a connection.
    struct Report: Equatable {
        /// A number that no other connection of the server has.
        var connection: String
        var version: String
        var cipherSuite: String
        var applicationProtocol: String
        /// `SUCCESS`, `NONE`, or `FAILED:` with the reason.
        var verification: String
        /// The subject of the client's certificate.
        var client: String
        /// The name that the client asked for (RFC 6066 §3).
        var serverName: String

        init(_ data: Data) {
            let lines = String(decoding: data, as: UTF8.self).split(separator: "\n", omittingEmptySubsequences: false)
            let parts = (lines.map(String.init) + Array(repeating: "", count: 7)).prefix(7)
            (self.connection, self.version, self.cipherSuite) = (parts[0], parts[1], parts[2])
            (self.applicationProtocol, self.verification, self.client) = (parts[3], parts[4], parts[5])
            self.serverName = parts[6]
        }
    }

    /// The number of bytes at `/long`.
    static let longByteCount = 3_000_000

    private static let start = Task { try await Self.launch() }

    /// The server that all tests of this process share.
    static var shared: TrustServer { get async throws { try await Self.start.value } }

    let matrix: CertificateMatrix
    private let process: PeerProcess
    private let ports: [Entry: Int]

    func port(_ entry: Entry) -> Int { self.ports[entry] ?? 0 }

    func url(_ entry: Entry, _ path: String = "/", host: String = "localhost") -> String {
        "https://\(host):\(self.port(entry))\(path)"
    }

    func get(_ entry: Entry, _ path: String = "/") -> Request { Request(.get, self.url(entry, path)) }

    /// Returns a request to a host with any name, through the socket.
    func get(_ entry: Entry, as host: String) -> Request {
        Request(.get, "https://\(host)/")
            .unixSocket(path: self.process.folder.appending(path: "\(entry.name).sock").path)
    }

    /// The trusted root certificates.
    var roots: [CertificateSource] {
        [.pemFile(path: self.matrix.rootFile), .pemFile(path: self.matrix.rsaRootFile)]
    }

    /// Returns a client that trusts only the roots of the matrix.
    func makeClient(
        delegate: (any TaskDelegate)? = nil,
        clock: any TransportClock = SystemClock(),
        _ change: (inout Client.Configuration) -> Void = { _ in }
    ) -> Client {
        var configuration = Client.Configuration.patient
        configuration.tls.trust = .only(self.roots)
        change(&configuration)
        let connector = NIOConnector(clock: clock)
        return Client(configuration: configuration, delegate: delegate, connector: connector, clock: clock)
    }

    private static func launch() async throws -> TrustServer {
        let matrix = try CertificateMatrix.shared
        return try await PeerProcess.withFreePorts(Entry.allCases.count) { numbers in
            let ports = Dictionary(uniqueKeysWithValues: zip(Entry.allCases, numbers))
            let process = try PeerProcess("nginx", ["-p", ".", "-c", "nginx.conf", "-e", "stderr"]) { folder in
                try Data("secret".utf8).write(to: folder.appending(path: "secret"))
                try Data("albert:{PLAIN}einstein\n".utf8).write(to: folder.appending(path: "users"))
                try Data.random(byteCount: Self.longByteCount).write(to: folder.appending(path: "long"))
                try TrustServerSettings(matrix: matrix, ports: ports).text
                    .write(to: folder.appending(path: "nginx.conf"), atomically: true, encoding: .utf8)
            }
            try await process.listens(on: numbers)
            return TrustServer(matrix: matrix, process: process, ports: ports)
        }
    }
}
