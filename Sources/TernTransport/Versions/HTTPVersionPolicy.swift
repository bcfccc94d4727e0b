// SPDX-License-Identifier: Apache-2.0
public import TernRequests

/// The versions of HTTP that a call may use; `URLSession` supports only ``automatic``, and chooses itself.
@nonexhaustive
public enum HTTPVersionPolicy: Hashable, Sendable {
    /// Over TLS, HTTP/2 or HTTP/1.1, as the server chooses in the handshake (ALPN, RFC 7301); without TLS, HTTP/1.1.
    ///
    /// A new connection for a WebSocket uses HTTP/1.1, because few servers accept it over HTTP/2; so does any other `Upgrade`.
    case automatic
    /// HTTP/1.1 only.
    case http1
    /// HTTP/2 only, even without TLS, because the server is known to use it (RFC 9113 §3.3).
    ///
    /// Over TLS, the server must choose HTTP/2 by ALPN; otherwise the call fails, usually with `TLSFailure.noCommonProtocol`.
    /// Without TLS, a call to a server that does not use HTTP/2 fails. HTTP/1.1 remains possible for a request with an `Upgrade`
    /// to a protocol other than WebSocket, for one that a proxy forwards, and for one that the server refuses with
    /// HTTP_1_1_REQUIRED.
    case http2PriorKnowledge
}

private enum VersionOption: CurlOption {
    typealias Value = HTTPVersionPolicy

    static func curlArguments(_ value: HTTPVersionPolicy) -> [String] {
        switch value {
        case .automatic: ["--http2"]
        case .http1: ["--http1.1"]
        case .http2PriorKnowledge: ["--http2-prior-knowledge"]
        }
    }
}

extension RequestOptions {
    /// The versions of HTTP that the request may use; `nil` for the client's setting.
    package var versions: HTTPVersionPolicy? {
        get { self[VersionOption.self] }
        set { self[VersionOption.self] = newValue }
    }
}

extension Request {
    /// Sets the versions of HTTP that the request may use, instead of the client's setting.
    public func httpVersion(_ policy: HTTPVersionPolicy) -> Request {
        self.with { $0.options.versions = policy }
    }
}
