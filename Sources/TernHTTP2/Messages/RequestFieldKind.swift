// SPDX-License-Identifier: Apache-2.0

internal import HTTPTypes

/// A kind of request field, which determines how the client sends the field.
enum RequestFieldKind {
    case plain
    /// By default, not added to the HPACK table, because its value differs in most requests.
    case volatile
    /// By default, sent as never indexed, because its value is secret.
    case secret
    case cookie
    /// In a head, replaces the authority.
    case host
    /// Reduced to the member `trailers`, or omitted.
    case te
    /// "An endpoint MUST NOT generate an HTTP/2 message containing connection-specific header fields" (RFC 9113 §8.2.2).
    case connectionSpecific
    /// Refused in a head, and omitted from trailers.
    case framing
    /// Refused in a head, because it stands for a field whose name is malformed.
    case malformed

    init(_ name: String) {
        self =
            switch name.utf8.count {
            case 2 where name == "te": .te
            case 3 where name == "age": .volatile
            case 4 where name == "host": .host
            case 4 where name == "etag": .volatile
            case 5 where name == "range": .volatile
            case 6 where name == "cookie": .cookie
            case 7 where name == "upgrade": .connectionSpecific
            case 10 where name == "connection" || name == "keep-alive": .connectionSpecific
            case 13 where name == "authorization": .secret
            case 13 where name == "if-none-match": .volatile
            case 14 where name == "content-length": .framing
            case 14 where name == "http2-settings": .connectionSpecific
            case 14 where name == "malformed-name": .malformed
            case 16 where name == "proxy-connection": .connectionSpecific
            case 17 where name == "transfer-encoding": .framing
            case 17 where name == "if-modified-since": .volatile
            case 19 where name == "proxy-authorization": .secret
            default: .plain
            }
    }

    /// Whether trailers with a field of this kind need a HEADERS frame, instead of an empty DATA frame.
    var isSent: Bool {
        switch self {
        case .plain, .volatile, .secret, .cookie: true
        case .host, .te, .connectionSpecific, .framing, .malformed: false
        }
    }

    /// Returns the field's own strategy, or else that of its kind; `avoid` does not weaken the protection of a secret.
    func indexing(
        _ strategy: HTTPField.DynamicTableIndexingStrategy,
        valueByteCount: Int
    ) -> HPACKEncoder.Indexing {
        switch strategy {
        case .disallow: return .never
        case .avoid: return self == .secret ? .never : .none
        case .prefer: return .incremental
        default: break
        }
        switch self {
        case .secret: return .never
        // An attacker could guess a short cookie, so it is never indexed. nghttp2 does the same.
        case .cookie: return valueByteCount < Self.shortCookieByteCount ? .never : .incremental
        case .volatile: return .none
        default: return .incremental
        }
    }

    private static let shortCookieByteCount = 20
}
