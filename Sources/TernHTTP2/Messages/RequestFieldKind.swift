// SPDX-License-Identifier: Apache-2.0

internal import HTTPTypes

/// The treatment of a request's field when the request is encoded.
enum RequestFieldKind {
    /// Sent as it is.
    case plain
    /// Sent without indexing, because its value differs in most requests. The list is nghttp2's.
    case volatile
    /// Sent as never indexed, because it is secret.
    case secret
    case cookie
    /// Sent as `:authority`.
    case host
    /// Reduced to the member `trailers`.
    case te
    /// Not sent: "An endpoint MUST NOT generate an HTTP/2 message containing connection-specific header fields"
    /// (§8.2.2).
    case connectionSpecific
    /// Refused, because its value follows from the body.
    case framing
    /// Refused: the name that TernFields gives a field whose name is malformed.
    case malformed

    /// Determines the kind of a field; the length of the name alone is enough for most names.
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

    /// Whether trailers with a field of this kind need a HEADERS frame.
    var isSent: Bool {
        switch self {
        case .plain, .volatile, .secret, .cookie: true
        case .host, .te, .connectionSpecific, .framing, .malformed: false
        }
    }

    /// Returns how HPACK indexes a field of this kind; the field's own `indexingStrategy` comes first.
    func indexing(of field: HTTPField, valueByteCount: Int) -> HPACKEncoder.Indexing {
        switch field.indexingStrategy {
        case .disallow: return .never
        case .avoid: return self == .secret ? .never : .none
        case .prefer: return .incremental
        default: break
        }
        switch self {
        case .secret: return .never
        // An attacker could guess a short cookie. Precedent: nghttp2.
        case .cookie: return valueByteCount < Self.shortCookieByteCount ? .never : .incremental
        case .volatile: return .none
        default: return .incremental
        }
    }

    private static let shortCookieByteCount = 20
}
