// SPDX-License-Identifier: Apache-2.0
import HTTPTypes

/// A field that a request head treats apart from others.
enum SteeringField {
    case host
    case expect
    case cookie
    case framing

    /// The kind of a field, or `nil` for the many that are only passed on, most of which their length tells.
    @inline(__always)
    init?(_ name: HTTPField.Name) {
        switch name.rawName.utf8.count {
        case 4, 6, 14, 17: self.init(canonicalName: name.canonicalName)
        default: return nil
        }
    }

    private init?(canonicalName: String) {
        switch canonicalName {
        case "host": self = .host
        case "expect": self = .expect
        case "cookie": self = .cookie
        case "content-length", "transfer-encoding": self = .framing
        default: return nil
        }
    }
}

/// What the fields of a request head come to, seen in one pass, since each look at a field copies it.
struct SteeringFields: Sendable {
    /// The length of all fields, written out; at least that of what is written.
    private(set) var byteCount = 0
    private(set) var hostCount = 0
    /// Whether a `Host` holds what no host may hold.
    private(set) var hasInvalidHost = false
    private(set) var hasExpectation = false
    private(set) var hasCookie = false
    private(set) var hasFraming = false
    /// Whether a field cannot be written as it stands.
    var hasApart: Bool { self.hostCount > 0 || self.hasCookie || self.hasFraming }

    init(_ fields: HTTPFields) {
        for field in fields {
            // The name, the value, a colon, a space and CRLF.
            self.byteCount += field.name.rawName.utf8.count + field.withUnsafeBytesOfValue { $0.count } + 4
            switch SteeringField(field.name) {
            case .host:
                self.hostCount += 1
                let isValid = field.withUnsafeBytesOfValue { ByteView(UnsafeRawBufferPointer($0)).isVisibleASCII }
                if !isValid { self.hasInvalidHost = true }
            case .expect: self.hasExpectation = true
            case .cookie: self.hasCookie = true
            case .framing: self.hasFraming = true
            case nil: break
            }
        }
    }
}
