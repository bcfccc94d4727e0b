// SPDX-License-Identifier: Apache-2.0

public import HTTPTypes

extension HTTPFields {
    /// The name of the field that stands for one whose name is malformed, which must not be sent.
    private static var malformedName: String { "Malformed-Name" }

    /// The value of a field by the text of its name: `fields["X-Key"] = "1"`.
    ///
    /// It reads and writes as the subscript by `HTTPField.Name` does: several fields of one name are one value, joined by
    /// commas, and `nil` removes them.
    ///
    /// A text that is not the name of a field (RFC 9110 §5.1), such as `"X Key"` or `"X-Key:"`, reads as `nil`. Setting a
    /// value for it puts a field `Malformed-Name` in its place, with the text as its value, and the client sends no request
    /// that has it: the call throws `ClientError.invalidRequest(.malformedFieldName, …)`.
    ///
    /// - Parameter name: The name, in any case.
    /// - Returns: The value; `nil` if there is none.
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
