// SPDX-License-Identifier: Apache-2.0
import Foundation
import Tern
import TestSupport

extension HTTP2Server {
    /// The nghttpd without TLS that the proxies forward calls to.
    private static let backend = Task {
        try await PeerProcess.withFreePorts(1) { ports in
            let process = try PeerProcess("nghttpd", ["--no-tls"] + Self.nghttpd(ports[0]), prepare: Self.fill)
            try await process.listens(on: ports)
            return (process: process, port: ports[0])
        }
    }

    /// Starts a server.
    static func launch(_ kind: Kind) async throws -> HTTP2Server {
        switch kind {
        case .apache: try await Self.findApache()
        case .nghttpd:
            try await Self.launch(kind) { port in
                try PeerProcess("nghttpd", Self.nghttpd(port) + ["good.key", "good.pem"], prepare: Self.fill)
            }
        case .nghttpx: try await Self.launchNghttpx()
        case .haproxy: try await Self.launchHAProxy()
        case .hypercorn: try await Self.launchHypercorn()
        case .nio, .nioClear: try await Self.launchNIO(kind)
        }
    }

    private static func findApache() async throws -> HTTP2Server {
        let apache = try await Apache.shared
        try apache.store(Self.large, "large")
        return HTTP2Server(kind: .apache, process: nil, port: apache.http2Port, root: apache.root)
    }

    private static func nghttpd(_ port: Int) -> [String] {
        ["-a", "127.0.0.1", "-d", "files", "--echo-upload", "--trailer", "tern-trailer: flies", "\(port)"]
    }

    private static func launchNghttpx() async throws -> HTTP2Server {
        let sockets = try await WebSocketServer.websockets.value.port
        let files = try await Self.backend.value.port
        return try await Self.launch(.nghttpx) { port in
            let arguments = [
                "--conf=nghttpx.conf", "--single-process", "--workers=1", "--no-ocsp",
                "--frontend=127.0.0.1,\(port)", "--backend=127.0.0.1,\(files);/;proto=h2",
                "--backend=127.0.0.1,\(sockets);/echo:/close:/ping:/status:/fields", "good.key", "good.pem",
            ]
            return try PeerProcess("nghttpx", arguments) { folder in
                try Self.fill(folder)
                try Data().write(to: folder.appending(path: "nghttpx.conf"))  // not the system's settings
            }
        }
    }

    private static func launchHAProxy() async throws -> HTTP2Server {
        let sockets = try await WebSocketServer.websockets.value.port
        let files = try await Self.backend.value.port
        return try await Self.launch(.haproxy) { port in
            try PeerProcess("haproxy", ["-db", "-f", "haproxy.conf"]) { folder in
                try Self.fill(folder)
                var both = try Data(contentsOf: folder.appending(path: "good.pem"))
                both += try Data(contentsOf: folder.appending(path: "good.key"))
                try both.write(to: folder.appending(path: "haproxy.pem"))
                let ports = ["TLS": "\(port)", "SOCKETS": "\(sockets)", "FILES": "\(files)"]
                try PeerProcess.write("haproxy.conf", to: folder, replacing: ports)
            }
        }
    }

    private static func launchHypercorn() async throws -> HTTP2Server {
        let script = ["-B", Scripts.path("hypercorn_server.py"), "ports.txt"]
        let process = try PeerProcess(Scripts.python, script, prepare: Self.fill)
        let report = process.folder.appending(path: "ports.txt")
        try await process.ready { FileManager.default.fileExists(atPath: report.path) }
        let port = try String(contentsOf: report, encoding: .utf8).split(separator: "\n").compactMap { Int($0) }
        return HTTP2Server(kind: .hypercorn, process, port[0])
    }

    private static func launchNIO(_ kind: Kind) async throws -> HTTP2Server {
        let folder = try PeerProcess("true", [], prepare: Self.fill)  // with the certificates
        let local = try await NIOHTTP2Server.launch(kind == .nio ? NIOHTTP2Server.makeContext(folder.folder) : nil)
        var server = HTTP2Server(kind: kind, folder, local.port)
        server.local = local
        return server
    }

    private static func launch(
        _ kind: Kind,
        _ start: (_ port: Int) throws -> PeerProcess
    ) async throws -> HTTP2Server {
        try await PeerProcess.withFreePorts(1) { ports in
            let process = try start(ports[0])
            try await process.listens(on: ports)
            return HTTP2Server(kind: kind, process, ports[0])
        }
    }

    private init(kind: Kind, _ process: PeerProcess, _ port: Int) {
        let root = CertificateSource.pemFile(path: process.folder.appending(path: "root.pem").path)
        self.init(kind: kind, process: process, port: port, root: root)
    }

    private static func fill(_ folder: URL) throws {
        try PeerProcess.run(Scripts.path("certificates.sh"), [], in: folder)
        let files = folder.appending(path: "files")
        try FileManager.default.createDirectory(at: files, withIntermediateDirectories: true)
        try Data("hello\n".utf8).write(to: files.appending(path: "hello.txt"))
        try Self.large.write(to: files.appending(path: "large"))
    }
}
