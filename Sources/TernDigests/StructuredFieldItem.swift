// SPDX-License-Identifier: Apache-2.0
package import HTTPTypes

/// An item of a structured field (RFC 9651 §3.3), without its parameters.
///
/// A case carries the value of the item only if a caller needs that value.
package enum StructuredFieldItem: Hashable, Sendable {
    /// An integer of up to 15 digits.
    case integer(Int64)
    /// A decimal number.
    case decimal
    /// A string.
    case string
    /// A token.
    case token
    /// A byte sequence.
    case byteSequence([UInt8])
    /// A Boolean value.
    case boolean(Bool)
    /// A date.
    case date
    /// A display string.
    case displayString

    /// Reads a field whose value is one item (RFC 9651 §4.2.3).
    ///
    /// Parameters are checked, and then ignored.
    ///
    /// - Parameters:
    ///   - name: The name of the field.
    ///   - fields: The fields. The result is `nil` if they do not have exactly one valid item, or if the field is
    ///     longer than 16 KiB: then "the entire field value MUST be ignored" (§4.2).
    package init?(_ name: HTTPField.Name, in fields: HTTPFields) {
        guard var scanner = StructuredFieldScanner(fields.lines(name)), let item = scanner.readBareItem(),
            scanner.skipParameters()
        else { return nil }
        scanner.skipSpaces()
        guard scanner.isAtEnd else { return nil }
        self = item
    }

    /// The value, if the item is an integer; otherwise `nil`.
    package var integer: Int64? { if case .integer(let value) = self { value } else { nil } }

    /// The value, if the item is a Boolean; otherwise `nil`.
    package var boolean: Bool? { if case .boolean(let value) = self { value } else { nil } }
}

extension HTTPFields {
    /// Returns the values of all lines of a field, in order.
    func lines(_ name: HTTPField.Name) -> [[UInt8]] {
        self[fields: name].map { $0.withUnsafeBytesOfValue { Array($0) } }
    }
}
