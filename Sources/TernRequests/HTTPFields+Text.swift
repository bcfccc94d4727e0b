// SPDX-License-Identifier: Apache-2.0

public import HTTPTypes

extension HTTPFields {
    private static var malformedName: String { "Malformed-Name" }

    /// The value of a field, by the text of its name in any case: `fields["X-Key"] = "1"`.
    ///
    /// Several fields with one name are one value, joined by commas (cookies by semicolons), and `nil` removes them. A text that is
    /// not a field name (RFC 9110 §5.1), such as `"X-Key:"`, reads as `nil`. If a request has a value for such a name, Tern's
    /// transports refuse it: the call throws `ClientError.invalidRequest(.malformedFieldName, …)`. Such a trailer is left out.
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
