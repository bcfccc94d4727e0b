// SPDX-License-Identifier: Apache-2.0

enum FieldValue {
    /// Returns whether a text is allowed as a value; `HTTPField` would silently put spaces in the place of other characters.
    static func isValid(_ value: String) -> Bool {
        value.utf8.allSatisfy { ($0 >= 0x20 && $0 != 0x7F) || $0 == UInt8(ascii: "\t") }
    }
}
