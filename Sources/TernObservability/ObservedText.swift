// SPDX-License-Identifier: Apache-2.0
import Tern
import TernFoundation

/// Texts about a call for logs, metrics and spans: without user, password, query and header fields.
enum ObservedText {
    static func url(_ url: URL) -> String {
        var text = "\(url.scheme ?? "")://\(Self.host(of: url))"
        if let port = url.port { text += ":\(port)" }
        return text + url.path(percentEncoded: true)
    }

    static func host(of url: URL) -> String {
        let host = url.host(percentEncoded: true) ?? ""
        return host.contains(":") && !host.hasPrefix("[") ? "[\(host)]" : host
    }

    static func milliseconds(_ duration: Duration) -> String {
        let microseconds = Int64((duration / .microseconds(1)).rounded())
        let rest = String(abs(microseconds % 1000))
        return "\(microseconds / 1000).\(String(repeating: "0", count: 3 - rest.count))\(rest)"
    }

    static func name(of error: ClientError) -> String {
        switch error {
        case .cancelled: "cancelled"
        case .invalidRequest: "invalidRequest"
        case .timedOut: "timedOut"
        case .connectionFailed: "connectionFailed"
        case .tlsFailed: "tlsFailed"
        case .connectionLost: "connectionLost"
        case .truncated: "truncated"
        case .protocolViolation: "protocolViolation"
        case .bodyTooLarge: "bodyTooLarge"
        case .lineTooLong: "lineTooLong"
        case .valueTooLong: "valueTooLong"
        case .uploadFailed: "uploadFailed"
        case .fileFailed: "fileFailed"
        case .bodyMisused: "bodyMisused"
        case .webSocketRefused: "webSocketRefused"
        case .webSocketClosed: "webSocketClosed"
        case .messageTooLarge: "messageTooLarge"
        case .proxyFailed: "proxyFailed"
        case .authenticationFailed: "authenticationFailed"
        case .redirectFailed: "redirectFailed"
        case .notCached: "notCached"
        case .validationFailed: "validationFailed"
        case .decodingFailed: "decodingFailed"
        case .digestFailed: "digestFailed"
        case .interceptorFailed: "interceptorFailed"
        @unknown default: Self.other
        }
    }

    /// Returns the method if RFC 9110 §9 or RFC 5789 defines it; otherwise `_OTHER`, because a program can invent methods.
    static func method(_ method: String) -> String { Self.methods.contains(method) ? method : Self.other }

    static func status(_ code: Int) -> String { 100..<600 ~= code ? String(code) : Self.other }

    static let other = "_OTHER"

    private static let methods: Set<String> = [
        "GET", "HEAD", "POST", "PUT", "DELETE", "CONNECT", "OPTIONS", "TRACE", "PATCH",
    ]
}
