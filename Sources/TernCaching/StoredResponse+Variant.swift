// SPDX-License-Identifier: Apache-2.0
public import HTTPTypes

extension StoredResponse {
    /// The requests for a URL that a stored response may answer: those with the same values in the fields that its
    /// `Vary` names (RFC 9111 §4.1).
    ///
    /// The values of request fields may be secrets, such as cookies, so only their digests are stored.
    public struct Variant: Hashable, Sendable {
        /// A request field that `Vary` names, with a digest of its value.
        public struct SelectingField: Hashable, Sendable {
            /// The name of the field, in lower case.
            public var name: String
            /// The digest of the field's value in the request for which the server sent the response.
            ///
            /// The digest is `nil` if that request did not have the field.
            public var digest: String?

            /// Creates a selecting field.
            public init(name: String, digest: String?) {
                self.name = name
                self.digest = digest
            }
        }

        /// The maximum number of fields in `Vary`.
        ///
        /// Servers usually name one to five.
        public static let maximumCount = 32

        /// The request fields that `Vary` names, in the order of their names.
        ///
        /// The list is empty if the response may answer every request for its URL.
        public var nominations: [SelectingField]

        /// Creates a variant.
        ///
        /// - Parameter nominations: The request fields that `Vary` names. Defaults to no fields.
        public init(nominations: [SelectingField] = []) { self.nominations = nominations }

        /// Creates a variant from the `Vary` field of a response.
        ///
        /// The result is `nil` if the response cannot answer any other request. "A stored response with a Vary header
        /// field value containing a member "*" always fails to match" (RFC 9111 §4.1). The same is true if `Vary`
        /// contains an invalid field name, or more than ``maximumCount`` names.
        ///
        /// - Parameters:
        ///   - vary: The values of the response's `Vary` field.
        ///   - request: The fields of the request for which the server sent the response.
        ///   - digest: A closure that returns the digest of a value.
        public init?(vary: [String], request: HTTPFields, digest: (String) -> String) {
            var names: Set<String> = []
            for value in vary {
                for member in value.split(separator: ",") {
                    let name = String(Self.trimmed(member)).lowercased()
                    guard !name.isEmpty else { continue }
                    guard name != "*", HTTPField.Name(name) != nil, names.count < Self.maximumCount else { return nil }
                    names.insert(name)
                }
            }
            self.nominations = names.sorted().map { name in
                SelectingField(name: name, digest: Self.value(of: name, in: request).map(digest))
            }
        }

        /// Returns whether the stored response may answer a request.
        ///
        /// - Parameters:
        ///   - request: The fields of the request.
        ///   - digest: The same closure that created the stored digests.
        /// - Returns: Whether each field that `Vary` names has the same value as in the request for which the server
        ///   sent the response. "If (after any normalization that might take place) a header field is absent from a
        ///   request, it can only match another request if it is also absent there" (RFC 9111 §4.1).
        public func matches(_ request: HTTPFields, digest: (String) -> String) -> Bool {
            self.nominations.allSatisfy { $0.digest == Self.value(of: $0.name, in: request).map(digest) }
        }

        /// Returns a field's value in a normalized form: lines are joined, and white space around list members is
        /// removed.
        ///
        /// A value with a quoted string is not normalized, because a comma in it does not separate members.
        private static func value(of name: String, in request: HTTPFields) -> String? {
            guard let name = HTTPField.Name(name) else { return nil }
            let values = request[values: name]
            guard !values.isEmpty else { return nil }
            if values.contains(where: { $0.utf8.contains(UInt8(ascii: "\"")) }) { return values.joined(separator: ",") }
            return values.flatMap { $0.split(separator: ",", omittingEmptySubsequences: false) }
                .map { String(Self.trimmed($0)) }.joined(separator: ",")
        }

        private static func trimmed(_ text: Substring) -> Substring {
            let isSpace = { (character: Character) in character == " " || character == "\t" }
            guard let first = text.firstIndex(where: { !isSpace($0) }),
                let last = text.lastIndex(where: { !isSpace($0) })
            else { return "" }
            return text[first...last]
        }
    }
}
