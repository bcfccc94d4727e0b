// SPDX-License-Identifier: Apache-2.0
package import HTTPTypes

/// An item of a structured field (RFC 9651 §3.3), without its parameters; a case carries the value only if a caller needs it.
package enum StructuredFieldItem: Hashable, Sendable {
    /// Of up to 15 digits.
    case integer(Int64)
    case decimal
    case string
    case token
    case byteSequence([UInt8])
    case boolean(Bool)
    case date
    case displayString

    /// Reads a field of one item (RFC 9651 §4.2.3); `nil` if it is malformed: "the entire field value MUST be ignored" (§4.2).
    package init?(_ name: HTTPField.Name, in fields: HTTPFields) {
        guard var scanner = StructuredFieldScanner(fields.lines(name)), let item = scanner.readBareItem(),
            scanner.skipParameters()
        else { return nil }
        scanner.skipSpaces()
        guard scanner.isAtEnd else { return nil }
        self = item
    }

    package var integer: Int64? { if case .integer(let value) = self { value } else { nil } }

    package var boolean: Bool? { if case .boolean(let value) = self { value } else { nil } }
}

extension HTTPFields {
    func lines(_ name: HTTPField.Name) -> [[UInt8]] {
        self[fields: name].map { $0.withUnsafeBytesOfValue { Array($0) } }
    }
}
