// SPDX-License-Identifier: Apache-2.0

public import HTTPTypes

extension FieldSection {
    /// All fields as a value of the currency types, in the order received.
    ///
    /// Well-known names come from a table and cost nothing, so they have the table's spelling rather than the
    /// server's; other names keep theirs. Bytes that are not UTF-8 stay as they are inside the value.
    ///
    /// - Complexity: O(*n*) in the bytes of the section, with a string for each value.
    public func makeHTTPFields() -> HTTPFields {
        var fields = HTTPFields()
        fields.reserveCapacity(self.count)
        self.forEachLine { bytes, name, value in
            guard let name = HTTPField.Name.wellKnown(bytes, name) ?? HTTPField.Name(bytes.string(name)) else {
                return true
            }
            // From text it is faster by a third; what is not ASCII goes in as bytes, for it may not be UTF-8.
            let field =
                bytes.isASCII(value)
                ? HTTPField(name: name, value: bytes.string(value))
                : HTTPField(name: name, value: bytes.part(value))
            fields.append(field)
            return true
        }
        return fields
    }
}
