// SPDX-License-Identifier: Apache-2.0
import ClientTestSupport
import Foundation
import Tern
import TestSupport

/// An nginx server that serves files, accepts uploads, and presents good and bad certificates.
struct Nginx: Sendable {
    /// The names of the ports in the settings.
    enum Port: String, CaseIterable {
        case plain = "PLAIN"
        case tls = "TLS"
        case closing = "CLOSING"
        case impatient = "IMPATIENT"
        case expired = "EXPIRED"
        case early = "EARLY"
        case wrongHost = "WRONG_HOST"
        case selfSigned = "SELF_SIGNED"
        case old = "OLD"
        case http2 = "HTTP2"
        case http2Clear = "CLEAR_HTTP2"
        case http2Leaving = "LEAVING_HTTP2"
        /// HTTP/2 with one stream at a time.
        case http2By1 = "HTTP2_BY_1"
        /// HTTP/2 with 10 streams at a time.
        case http2By10 = "HTTP2_BY_10"
        /// HTTP/2 with 100 streams at a time.
        case http2By100 = "HTTP2_BY_100"
        /// HTTP/2 for two hosts on any connection.
        case http2Shared = "SHARED_HTTP2"
        /// HTTP/2 for two hosts, each on a connection of its own.
        case http2Separate = "SEPARATE_HTTP2"
        /// HTTP/2 for two hosts on any connection; the second host also has a certificate of its own.
        case http2Pinned = "PINNED_HTTP2"
    }

    /// The size of a large file: as large as the photo in the demo.
    static let photoByteCount = 13_100_000
    static let lineCount = 5000

    private static let start = Task { try await Self.launch() }

    /// The server that all tests of this process share.
    static var shared: Nginx { get async throws { try await Self.start.value } }

    private let process: PeerProcess
    private let ports: [Port: Int]

    var folder: URL { self.process.folder }
    var socketPath: String { self.folder.appending(path: "nginx.sock").path }

    func port(_ port: Port) -> Int { self.ports[port] ?? 0 }

    func url(_ scheme: Scheme, _ path: String, host: String = "localhost") -> String {
        "\(scheme)://\(host):\(self.port(scheme == .http ? .plain : .tls))\(path)"
    }

    func url(_ scheme: Scheme, _ port: Port, _ path: String = "/", host: String = "localhost") -> String {
        "\(scheme)://\(host):\(self.port(port))\(path)"
    }

    /// Returns the content of a file that the server serves or has stored under a path.
    func content(_ path: String) throws -> Data { try Data(contentsOf: self.folder.appending(path: "files\(path)")) }

    /// Returns the paths of the requests that the server has answered on a port with a limit of streams, in order.
    func paths(_ port: Port) throws -> [Substring] { try self.lines(port) }

    /// Returns the requests with an id that the server has answered on a port for two hosts.
    ///
    /// Each entry has the number of the connection, the host that its handshake named, the host of the request, and the
    /// status.
    func exchanges(_ port: Port, id: String) throws -> [Substring] {
        try self.lines(port).filter { $0.hasPrefix("\(id) ") }.map { $0.dropFirst(id.count + 1) }
    }

    private func lines(_ port: Port) throws -> [Substring] {
        let log = self.folder.appending(path: "\(port.rawValue).log")
        return try String(contentsOf: log, encoding: .utf8).split(separator: "\n")
    }

    /// Returns a client that trusts only the authority of this server.
    func makeClient(_ change: (inout Client.Configuration) -> Void = { _ in }) -> Client {
        var configuration = Client.Configuration.patient
        configuration.tls.trust = .only([self.root("root")])
        change(&configuration)
        return Client(configuration: configuration)
    }

    /// Returns the certificate of an authority; the authority `stranger` has signed no certificate of the server.
    func root(_ name: String) -> CertificateSource {
        .pemFile(path: self.folder.appending(path: "\(name).pem").path)
    }

    // MARK: Starting

    /// Starts the server; tries again if another program takes a port between the choice and the start.
    private static func launch() async throws -> Nginx {
        var attempt = 1
        while true {
            do {
                return try await Self.launchOnce()
            } catch let error as PeerProcess.Failure {
                guard attempt < 3, error.description.contains("Address already in use") else { throw error }
                attempt += 1
            }
        }
    }

    private static func launchOnce() async throws -> Nginx {
        let ports = Dictionary(uniqueKeysWithValues: zip(Port.allCases, try LoopbackPort.free(Port.allCases.count)))
        let process = try PeerProcess("nginx", ["-p", ".", "-c", "nginx.conf", "-e", "stderr"]) { folder in
            try Self.fill(folder)
            try Self.settings(ports).write(to: folder.appending(path: "nginx.conf"), atomically: true, encoding: .utf8)
            try PeerProcess.run(Scripts.path("certificates.sh"), [], in: folder)
            try Account.write(to: folder)
        }
        let nginx = Nginx(process: process, ports: ports)
        // nginx opens its ports one after the other.
        try await process.ready { try Port.allCases.allSatisfy { try process.listens(on: nginx.port($0)) } }
        return nginx
    }

    private static func settings(_ ports: [Port: Int]) throws -> String {
        var text = try String(contentsOfFile: Scripts.path("nginx.conf"), encoding: .utf8)
        for (port, number) in ports { text.replace("@\(port.rawValue)@", with: "\(number)") }
        guard !FileManager.default.fileExists(atPath: "/proc/net/if_inet6") else { return text }
        return text.split(separator: "\n").filter { !$0.contains("[::1]") }.joined(separator: "\n")
    }

    private static func fill(_ folder: URL) throws {
        let files = folder.appending(path: "files")
        try FileManager.default.createDirectory(at: files, withIntermediateDirectories: true)
        try Data("hello\n".utf8).write(to: files.appending(path: "hello.txt"))
        try Data().write(to: files.appending(path: "empty.txt"))
        try Data.random(byteCount: Self.photoByteCount).write(to: files.appending(path: "photo"))
        let lines = (0..<Self.lineCount).map { "line \($0) ä€😀\($0.isMultiple(of: 2) ? "\n" : "\r\n")" }
        try Data(lines.joined().utf8).write(to: files.appending(path: "lines.txt"))
    }
}

extension PeerProcess {
    /// Returns whether nginx listens on a port; throws if its output says that it cannot.
    fileprivate func listens(on port: Int) throws -> Bool {
        if self.output.contains("[emerg]") { throw PeerProcess.Failure(description: self.output) }
        return LoopbackPort.answers(port)
    }
}
