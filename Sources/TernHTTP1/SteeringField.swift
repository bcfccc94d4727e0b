// SPDX-License-Identifier: Apache-2.0
import HTTPTypes

/// A field that a request head treats apart from others.
enum SteeringField {
    case host
    case expect
    case cookie
    case framing

    /// The kind of a field, or `nil` for the many that are only passed on; lengths are compared first.
    init?(_ name: HTTPField.Name) {
        let name = name.canonicalName
        switch name.utf8.count {
        case 4 where name == "host": self = .host
        case 6 where name == "expect": self = .expect
        case 6 where name == "cookie": self = .cookie
        case 14 where name == "content-length": self = .framing
        case 17 where name == "transfer-encoding": self = .framing
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
    private(set) var hasFraming = false

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
            case .framing: self.hasFraming = true
            case .cookie, nil: break
            }
        }
    }
}
