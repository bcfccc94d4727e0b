// SPDX-License-Identifier: Apache-2.0
public import HTTPTypes

extension Set<HTTPField.Name> {
    /// Adds the name of a field by its text, such as `"X-Request-Key"`.
    ///
    /// - Parameter name: The name, in any case.
    /// - Returns: `true` if it was added; `false` if it was there, or if the text is not the name of a field (RFC 9110 §5.1).
    @discardableResult
    public mutating func insert(_ name: String) -> Bool {
        HTTPField.Name(name).map { self.insert($0).inserted } ?? false
    }
}
