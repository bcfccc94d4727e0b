// SPDX-License-Identifier: Apache-2.0
import Foundation
import Tern
import TestSupport

/// An Apache server with authentication; see `apache.conf`.
///
/// Each area has a file `hello.txt`, and stores the bodies of PUT requests.
struct Apache: Sendable {
    /// A part of the server with its own rules for access; `open` needs no authentication.
    enum Area: String, CaseIterable {
        case open
        /// Basic, for Albert and Jäsøn.
        case basic
        /// Basic in the realm `other`, for Berta.
        case other
        /// Digest with MD5 and `qop="auth"`, for Albert and Jäsøn.
        ///
        /// Its responses have `nextnonce`.
        case digest
        /// Digest like `digest`, but a nonce is valid for only one request.
        case staleDigest = "stale-digest"
        /// Digest, only for Berta. Albert gets 401 although the proof is correct.
        case forbidden
    }

    private static let start = Task { try await Self.launch() }

    /// The server that all tests of this process share.
    static var shared: Apache { get async throws { try await Self.start.value } }

    private let process: PeerProcess
    let port: Int
    let securePort: Int
    /// The port that speaks HTTP/2 over TLS.
    let http2Port: Int

    func url(_ scheme: Scheme, _ area: Area, _ name: String = "hello.txt", host: String = "localhost") -> String {
        "\(scheme)://\(host):\(scheme == .http ? self.port : self.securePort)/\(area.rawValue)/\(name)"
    }

    /// A URL that redirects to `hello.txt` in the area `digest`.
    var redirectingURL: String { "http://localhost:\(self.port)/moved" }

    /// Returns the content of a file that the server serves or has stored.
    func content(_ area: Area, _ name: String = "hello.txt") throws -> Data {
        try Data(contentsOf: self.process.folder.appending(path: "files/\(area.rawValue)/\(name)"))
    }

    /// Stores a file that the server serves in the area `open`.
    ///
    /// - Parameters:
    ///   - data: The content.
    ///   - name: The name.
    ///   - date: The time of its last change. Defaults to now; then its entity tag is weak for a moment.
    /// - Throws: An error of the file system.
    func store(_ data: Data, _ name: String, modified date: Date? = nil) throws {
        let file = self.process.folder.appending(path: "files/open/\(name)")
        try data.write(to: file)
        if let date { try FileManager.default.setAttributes([.modificationDate: date], ofItemAtPath: file.path) }
    }

    /// Returns the logged requests with a query so far: method, status and user, in order.
    ///
    /// Apache logs a request after it has answered, so a test must wait for the expected entries.
    func entries(about query: String) throws -> [String] {
        let log = try String(contentsOf: self.process.folder.appending(path: "access.log"), encoding: .utf8)
        return log.split(separator: "\n").map { $0.split(separator: " ") }.compactMap { line in
            line.count == 4 && line[1].hasSuffix("?\(query)") ? "\(line[0]) \(line[2]) \(line[3])" : nil
        }
    }

    /// The certificate of the authority that signed the server's certificate.
    var root: CertificateSource { .pemFile(path: self.rootPath) }

    /// The path of that authority's certificate.
    var rootPath: String { self.process.folder.appending(path: "root.pem").path }

    private static func launch() async throws -> Apache {
        try await PeerProcess.withFreePorts(3) { ports in
            let process = try PeerProcess("apache2", ["-d", ".", "-f", "apache.conf", "-DFOREGROUND"]) { folder in
                try Self.fill(folder, ports)
            }
            try await process.listens(on: ports)
            return Apache(process: process, port: ports[0], securePort: ports[1], http2Port: ports[2])
        }
    }

    private static func fill(_ folder: URL, _ ports: [Int]) throws {
        let settings = [
            "PLAIN": "\(ports[0])", "TLS": "\(ports[1])", "HTTP2": "\(ports[2])",
            "MODULES": "/usr/lib/apache2/modules",
            "USER": PeerProcess.isPrivileged ? "User nobody\nGroup nogroup" : "",
        ]
        try PeerProcess.write("apache.conf", to: folder, replacing: settings)
        try Account.write(to: folder)
        try PeerProcess.run(Scripts.path("certificates.sh"), [], in: folder)
        for name in ["locks"] + Area.allCases.map({ "files/\($0.rawValue)" }) {
            let area = folder.appending(path: name)
            try FileManager.default.createDirectory(at: area, withIntermediateDirectories: true)
            try PeerProcess.open(area)
            try Data("hello\n".utf8).write(to: area.appending(path: "hello.txt"))
        }
    }
}
