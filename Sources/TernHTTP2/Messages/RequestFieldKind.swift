// SPDX-License-Identifier: Apache-2.0

internal import HTTPTypes

/// How a field of a request is sent.
enum RequestFieldKind {
    /// As it is.
    case plain
    /// In no table, because its value is another in most requests. The list is nghttp2's.
    case volatile
    /// In no table on any hop, because it is secret.
    case secret
    case cookie
    /// Becomes `:authority`.
    case host
    /// Only `trailers` of it is sent.
    case te
    /// Not at all: "An endpoint MUST NOT generate an HTTP/2 message containing connection-specific header fields"
    /// (§8.2.2).
    case connectionSpecific
    /// Follows from the body.
    case framing
    /// Stands for a field whose name is malformed.
    case malformed

    /// The kind of a field, most of which their length tells.
    @inline(__always)
    init(_ canonicalName: String) {
        switch canonicalName.utf8.count {
        case 2...7, 10, 13...14, 16...17, 19: self = Self.known(canonicalName)
        default: self = .plain
        }
    }

    private static func known(_ name: String) -> RequestFieldKind {
        switch name {
        case "te": .te
        case "host": .host
        case "cookie": .cookie
        case "upgrade", "connection", "keep-alive", "proxy-connection", "http2-settings": .connectionSpecific
        case "content-length", "transfer-encoding": .framing
        case "malformed-name": .malformed
        case "authorization", "proxy-authorization": .secret
        case "age", "etag", "range", "if-none-match", "if-modified-since": .volatile
        default: .plain
        }
    }

    /// Whether a field of this kind is sent, or may be.
    var isSent: Bool {
        switch self {
        case .plain, .volatile, .secret, .cookie: true
        case .host, .te, .connectionSpecific, .framing, .malformed: false
        }
    }

    /// What HPACK does with a field of this kind, unless the caller says otherwise.
    func indexing(of field: HTTPField, valueByteCount: Int) -> HPACKEncoder.Indexing {
        switch field.indexingStrategy {
        case .disallow: return .never
        case .avoid: return self == .secret ? .never : .none
        case .prefer: return .incremental
        default: break
        }
        switch self {
        case .secret: return .never
        // Short ones could be guessed. Precedent: nghttp2.
        case .cookie: return valueByteCount < Self.shortCookieByteCount ? .never : .incremental
        case .volatile: return .none
        default: return .incremental
        }
    }

    private static let shortCookieByteCount = 20
}
