// SPDX-License-Identifier: Apache-2.0
public import HTTPTypes

extension StoredResponse {
    /// The requests for a URL that a response answers: those with equal nominated fields (RFC 9111 §4.1).
    ///
    /// The values of request fields may be secrets, such as cookies, so only their digests are stored.
    public struct Variant: Hashable, Sendable {
        /// A field that `Vary` names.
        public struct SelectingField: Hashable, Sendable {
            /// The name of the field, in lower case.
            public var name: String
            /// The digest of the field's value in the answered request; `nil` if the request did not have the field.
            public var digest: String?

            /// Creates a nominated field.
            public init(name: String, digest: String?) {
                self.name = name
                self.digest = digest
            }
        }

        /// The maximum number of fields in `Vary`; servers name one to five.
        public static let maximumCount = 32

        /// The nominated fields, by name.
        ///
        /// Empty if the response answers every request for its URL.
        public var nominations: [SelectingField]

        /// Creates a variant.
        ///
        /// - Parameter nominations: The nominated fields. Defaults to none.
        public init(nominations: [SelectingField] = []) { self.nominations = nominations }

        /// Creates a variant from the `Vary` field of a response.
        ///
        /// The result is `nil` if the response answers no other request. "A stored response with a Vary header field
        /// value containing a member "*" always fails to match" (§4.1). So does one whose `Vary` contains an invalid
        /// field name, or too many names.
        ///
        /// - Parameters:
        ///   - vary: The values of the response's `Vary`.
        ///   - request: The fields of the answered request.
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

        /// Returns whether the response answers a request.
        ///
        /// - Parameters:
        ///   - request: The fields of the request.
        ///   - digest: The closure that created the stored digests.
        /// - Returns: Whether all nominated fields are equal. "If (after any normalization that might take place) a
        ///   header field is absent from a request, it can only match another request if it is also absent there"
        ///   (§4.1).
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
