// SPDX-License-Identifier: Apache-2.0
import ClientTestSupport
import Foundation
import Synchronization
import Tern
import TestSupport

/// A server of another project that speaks HTTP/2, over TLS unless its kind says otherwise.
///
/// Each serves `/hello.txt` and `/large`, and accepts uploads.
struct HTTP2Server: Sendable {
    /// The servers, as a parameter of tests.
    enum Kind: String, CaseIterable, Sendable {
        /// Apache with mod_http2.
        case apache
        /// The server of nghttp2.
        case nghttpd
        /// The proxy of nghttp2, before nghttpd and a WebSocket server.
        case nghttpx
        /// haproxy, before nghttpd and a WebSocket server.
        case haproxy
        /// Hypercorn with an application; see `hypercorn_server.py`.
        case hypercorn
        /// ``NIOHTTP2Server``.
        case nio
        /// ``NIOHTTP2Server`` without TLS.
        case nioClear

        /// The servers that accept WebSockets over streams of HTTP/2 (RFC 8441).
        static let ofWebSockets: [Kind] = [.nghttpx, .haproxy, .hypercorn]

        /// The path of a resource with trailers; `nil` for a server that sends none.
        var trailersPath: String? {
            switch self {
            case .apache: nil
            case .nghttpd, .nghttpx, .haproxy, .nio, .nioClear: "/hello.txt"
            case .hypercorn: "/trailers"
            }
        }
    }

    private static let apache = Task { try await Self.launch(.apache) }
    private static let nghttpd = Task { try await Self.launch(.nghttpd) }
    private static let nghttpx = Task { try await Self.launch(.nghttpx) }
    private static let haproxy = Task { try await Self.launch(.haproxy) }
    private static let hypercorn = Task { try await Self.launch(.hypercorn) }
    private static let nio = Task { try await Self.launch(.nio) }
    private static let nioClear = Task { try await Self.launch(.nioClear) }

    /// Returns the server that all tests of this process share.
    static func shared(_ kind: Kind) async throws -> HTTP2Server {
        switch kind {
        case .apache: try await Self.apache.value
        case .nghttpd: try await Self.nghttpd.value
        case .nghttpx: try await Self.nghttpx.value
        case .haproxy: try await Self.haproxy.value
        case .hypercorn: try await Self.hypercorn.value
        case .nio: try await Self.nio.value
        case .nioClear: try await Self.nioClear.value
        }
    }

    private static let content = Result { try Data.random(byteCount: 4_000_000) }
    private static let uploadCount = Atomic(0)

    /// The content of `/large`.
    static var large: Data { get throws { try Self.content.get() } }

    let kind: Kind
    /// The process; `nil` if the server belongs to ``Apache``.
    ///
    /// For a server in this process, it only keeps the folder.
    let process: PeerProcess?
    /// The server in this process; `nil` for a server in a process of its own.
    var local: NIOHTTP2Server?
    let port: Int
    /// The certificate of the authority that signed the server's certificate.
    let root: CertificateSource

    func url(_ path: String) -> String {
        let scheme = self.kind == .nioClear ? "http" : "https"
        return "\(scheme)://localhost:\(self.port)\(self.kind == .apache ? "/open" : "")\(path)"
    }

    func get(_ path: String) -> Request { Request(.get, self.url(path)) }

    /// Returns a request for a WebSocket that uses HTTP/2 on any connection.
    func getWebSocket(_ path: String) -> Request { self.get(path).httpVersion(.http2PriorKnowledge) }

    /// Returns a client that trusts only the authority of this server.
    func makeClient(_ change: (inout Client.Configuration) -> Void = { _ in }) -> Client {
        Client { configuration in
            configuration.tls.trust = .only([self.root])
            if self.kind == .nioClear { configuration.httpVersion = .http2PriorKnowledge }
            change(&configuration)
        }
    }

    /// Uploads a body, and returns the bytes that the server received, and its response.
    func upload(_ data: Data, by client: Client) async throws -> (Data, Response) {
        guard self.kind == .apache else {
            let request = Request(.post, self.url("/upload"))
            let (body, response) = try await client.upload(for: request, from: data)
            return (body, response)
        }
        let path = "/upload-\(Self.uploadCount.add(1, ordering: .relaxed).newValue)"
        let (_, response) = try await client.upload(for: Request(.put, self.url(path)), from: data)
        return (try await client.data(for: self.get(path)).0, response)
    }
}
