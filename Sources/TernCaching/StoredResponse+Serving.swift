// SPDX-License-Identifier: Apache-2.0
public import HTTPTypes

extension StoredResponse {
    /// The fields to answer with: with an `Age`, and without what must be validated first.
    ///
    /// "When a stored response is used to satisfy a request without validation, a cache MUST generate an Age header field
    /// …, replacing any present in the response with a value equal to the stored response's current_age" (RFC 9111 §4).
    ///
    /// - Parameters:
    ///   - now: the present, in seconds since 1970.
    ///   - isValidated: whether the server has just confirmed the response; then `no-cache="field"` withholds nothing.
    /// - Returns: the fields.
    public func servedFields(at now: Int64, isValidated: Bool = false) -> HTTPFields {
        let freshness = Freshness(self)
        var fields = self.fields
        if !isValidated, case .fields(let names)? = freshness.control.noCache {
            // "a cache MAY use the response to satisfy a subsequent request … if the listed header fields are excluded from
            // the subsequent response or the subsequent response has been successfully revalidated" (§5.2.2.4).
            fields = HTTPFields(fields.filter { !names.contains($0.name.canonicalName) })
        }
        fields[.age] = String(freshness.age(at: now))
        return fields
    }
}
