// SPDX-License-Identifier: Apache-2.0
package import HTTPTypes

/// A field that a request head handles specially.
package enum SteeringField {
    case host
    case expect
    case cookie
    case framing
    case malformed
    case te
    case upgrade

    @inline(__always)
    package init?(_ name: HTTPField.Name) {
        let byteCount = name.rawName.utf8.count
        switch byteCount {
        case 2, 4, 6, 7, 14, 17: self.init(canonicalName: name.canonicalName, byteCount: byteCount)
        default: return nil
        }
    }

    private init?(canonicalName name: String, byteCount: Int) {
        switch byteCount {
        case 2 where name == "te": self = .te
        case 4 where name == "host": self = .host
        case 6 where name == "expect": self = .expect
        case 6 where name == "cookie": self = .cookie
        case 7 where name == "upgrade": self = .upgrade
        case 14 where name == "content-length": self = .framing
        case 14 where name == "malformed-name": self = .malformed  // represents a field whose name is malformed
        case 17 where name == "transfer-encoding": self = .framing
        default: return nil
        }
    }
}

/// A summary of a request head's fields, made in one pass, because each access to a field copies the field.
package struct SteeringFields: Hashable, Sendable {
    /// The length of all fields as text of HTTP/1.1, in bytes.
    package private(set) var byteCount = 0
    package private(set) var hostCount = 0
    package private(set) var hasInvalidHost = false
    package private(set) var hasExpectation = false
    package private(set) var hasCookie = false
    package private(set) var hasFraming = false
    package private(set) var hasMalformedName = false
    package private(set) var hasTE = false
    package private(set) var hasUpgrade = false
    /// Whether a field is omitted, moved or joined with others when the head is written.
    package var hasApart: Bool {
        self.hostCount > 0 || self.hasCookie || self.hasFraming || self.hasMalformedName
    }

    package init(_ fields: HTTPFields) {
        for field in fields {
            // The name, the value, a colon, a space and CRLF.
            self.byteCount += field.name.rawName.utf8.count + field.withUnsafeBytesOfValue { $0.count } + 4
            switch SteeringField(field.name) {
            case .host:
                self.hostCount += 1
                let isValid = field.withUnsafeBytesOfValue { value in
                    let value = ByteView(UnsafeRawBufferPointer(value))
                    return value.endOfVisibleASCII(from: 0, to: value.count) == value.count
                }
                if !isValid { self.hasInvalidHost = true }
            case .expect: self.hasExpectation = true
            case .cookie: self.hasCookie = true
            case .framing: self.hasFraming = true
            case .malformed: self.hasMalformedName = true
            case .te: self.hasTE = true
            case .upgrade: self.hasUpgrade = true
            case nil: break
            }
        }
    }
}

extension HTTPField.Name {
    /// Whether trailers may contain the field: not if it "describe[s] message framing, routing, authentication, request modifiers,
    /// response controls, or content format" (RFC 9110 §6.5.1), which a server needs before the content.
    package var isAllowedInTrailers: Bool {
        let text = self.canonicalName
        if text.hasPrefix("if-") { return false }
        return switch text {
        case "content-length", "transfer-encoding", "connection", "keep-alive", "te", "trailer", "upgrade", "host",
            "expect",
            "max-forwards", "range", "cache-control", "pragma", "authorization", "proxy-authorization", "cookie",
            "content-type", "content-encoding", "content-range", "malformed-name":
            false
        default: true
        }
    }
}
