// SPDX-License-Identifier: Apache-2.0

/// The values of fields, as far as any text may be one.
enum FieldValue {
    /// Whether a text may be the value of a field.
    ///
    /// `HTTPField` would silently put spaces in place of what may not.
    static func isValid(_ value: String) -> Bool {
        value.utf8.allSatisfy { ($0 >= 0x20 && $0 != 0x7F) || $0 == UInt8(ascii: "\t") }
    }
}
