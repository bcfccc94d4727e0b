// SPDX-License-Identifier: Apache-2.0
import ClientTestSupport
import Foundation
import Tern
import TestSupport

/// A server of resumable uploads, which keeps what has arrived when a connection breaks; see `upload_server.py`.
struct UploadServer: Sendable {
    /// The protocols that the server speaks, as a parameter of tests.
    enum Kind: String, CaseIterable, Sendable {
        case draft8
        case draft6
        case tus

        var uploadProtocol: UploadProtocol {
            switch self {
            case .draft8: .draft(.eight)
            case .draft6: .draft(.six)
            case .tus: .tus
            }
        }

        fileprivate var arguments: [String] {
            switch self {
            case .draft8: ["--version", "8"]
            case .draft6: ["--version", "6"]
            case .tus: ["--tus"]
            }
        }
    }

    /// A request that the server received, or the end of an upload.
    struct Entry: Decodable, Sendable {
        let method: String?
        let path: String?
        /// The offset at which the request continues; -1 if it has none.
        let offset: Int64?
        /// The length of the request's content in bytes.
        let content: Int64?
        /// The fields of the request, with names in lower case.
        let fields: [String: String]?
        /// The target of an upload that is complete.
        let complete: String?
        /// The hash of the complete upload.
        let sha256: String?
    }

    private static let starts: [Kind: Task<UploadServer, any Error>] = Dictionary(
        uniqueKeysWithValues: Kind.allCases.map { kind in (kind, Task { try await Self.launch(kind) }) }
    )

    private let process: PeerProcess
    private let port: Int

    /// Returns the server for a protocol, which all tests of this process share.
    static func shared(_ kind: Kind) async throws -> UploadServer {
        guard let start = Self.starts[kind] else { throw CancellationError() }
        return try await start.value
    }

    /// Returns the URL of a target; the first word of its path selects a conduct.
    func url(_ path: String) -> String { "http://127.0.0.1:\(self.port)\(path)" }

    /// Returns what the server has seen of a target.
    func log(of path: String, by client: Client) async throws -> [Entry] {
        try await client.value(for: Request(.get, self.url("/log?\(path)")), as: [Entry].self)
    }

    private static func launch(_ kind: Kind) async throws -> UploadServer {
        let script = ["-B", Scripts.path("upload_server.py"), "--report", "port.txt"] + kind.arguments
        let process = try PeerProcess(Scripts.python, script)
        return UploadServer(process: process, port: try await process.reportedPort())
    }
}

/// tuspyserver, a server of the tus protocol; see `tus_server.py`.
struct TusServer: Sendable {
    private static let start = Task { try await Self.launch() }

    /// The server that all tests of this process share.
    static var shared: TusServer { get async throws { try await Self.start.value } }

    private let process: PeerProcess
    private let port: Int

    /// The URL that creates uploads.
    var url: String { "http://127.0.0.1:\(self.port)/files" }
    /// The folder in which the server stores the files.
    var folder: URL { self.process.folder.appending(path: "files") }

    private static func launch() async throws -> TusServer {
        let process = try PeerProcess(Scripts.python, ["-B", Scripts.path("tus_server.py"), "port.txt"])
        return TusServer(process: process, port: try await process.reportedPort())
    }
}

extension PeerProcess {
    /// Returns the port that the process writes to the file `port.txt` of its folder.
    fileprivate func reportedPort() async throws -> Int {
        let report = self.folder.appending(path: "port.txt")
        try await self.ready { FileManager.default.fileExists(atPath: report.path) }
        let text = try String(contentsOf: report, encoding: .utf8)
        guard let port = Int(text.trimmingCharacters(in: .whitespacesAndNewlines)) else { throw CancellationError() }
        return port
    }
}
