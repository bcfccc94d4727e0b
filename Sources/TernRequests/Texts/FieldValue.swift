// SPDX-License-Identifier: Apache-2.0

/// Rules for the values of fields.
enum FieldValue {
    /// Returns whether a text is allowed as the value of a field.
    ///
    /// `HTTPField` would silently put spaces in the place of forbidden characters.
    static func isValid(_ value: String) -> Bool {
        value.utf8.allSatisfy { ($0 >= 0x20 && $0 != 0x7F) || $0 == UInt8(ascii: "\t") }
    }
}
