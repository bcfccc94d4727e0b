// SPDX-License-Identifier: Apache-2.0

public import HTTPTypes

extension HTTPFields {
    /// The name of the field that replaces a field with a malformed name; the client refuses to send this field.
    private static var malformedName: String { "Malformed-Name" }

    /// The value of a field, by the text of its name: `fields["X-Key"] = "1"`.
    ///
    /// The subscript reads and writes like the one with an `HTTPField.Name`: several fields with one name are one
    /// value, joined by commas, and `nil` removes them.
    ///
    /// A text that is not a field name (RFC 9110 §5.1), such as `"X Key"` or `"X-Key:"`, reads as `nil`. Setting a
    /// value for such a name sets the field `Malformed-Name` to the malformed name. The client refuses to send
    /// a request with that field: the call throws `ClientError.invalidRequest(.malformedFieldName, …)`.
    ///
    /// - Parameter name: The name, in any case.
    /// - Returns: The value, or `nil` if there is no such field.
    public subscript(name: String) -> String? {
        get { HTTPField.Name(name).flatMap { self[$0] } }
        set {
            if let name = HTTPField.Name(name) {
                self[name] = newValue
            } else if newValue != nil, let place = HTTPField.Name(Self.malformedName) {
                self[place] = name
            }
        }
    }
}
