// SPDX-License-Identifier: Apache-2.0
public import HTTPTypes

extension StoredResponse {
    /// Which requests for a URL a response answers: those whose nominated fields are alike (RFC 9111 §4.1).
    ///
    /// Values of request fields may be secrets, such as cookies, so that only digests of them are kept.
    public struct Variant: Hashable, Sendable {
        /// One of the fields that `Vary` names.
        public struct Nomination: Hashable, Sendable {
            /// The field's name, in small letters.
            public var name: String
            /// The digest of its value in the request that was answered; `nil` if it had no such field.
            public var digest: String?

            /// Creates a nomination.
            public init(name: String, digest: String?) {
                self.name = name
                self.digest = digest
            }
        }

        /// How many fields `Vary` may name; servers name one to five.
        public static let maximumCount = 32

        /// The nominated fields, by name; empty if the response answers every request for its URL.
        public var nominations: [Nomination]

        /// Creates a variant.
        ///
        /// - Parameter nominations: the nominated fields; none by default.
        public init(nominations: [Nomination] = []) { self.nominations = nominations }

        /// Reads the `Vary` of a response.
        ///
        /// It gives `nil` if the response answers no other request. "A stored response with a Vary header field value
        /// containing a member "*" always fails to match" (§4.1); so does one whose `Vary` names no fields, or too many.
        ///
        /// - Parameters:
        ///   - vary: the values of the response's `Vary`.
        ///   - request: the fields of the request that it answers.
        ///   - digest: makes a digest of a value.
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
                Nomination(name: name, digest: Self.value(of: name, in: request).map(digest))
            }
        }

        /// Whether a request is answered by the response.
        ///
        /// - Parameters:
        ///   - request: the fields of the request.
        ///   - digest: what the digests were made by.
        /// - Returns: whether all nominated fields are alike. "If (after any normalization that might take place) a header
        ///   field is absent from a request, it can only match another request if it is also absent there" (§4.1).
        public func matches(_ request: HTTPFields, digest: (String) -> String) -> Bool {
            self.nominations.allSatisfy { $0.digest == Self.value(of: $0.name, in: request).map(digest) }
        }

        /// The value in a form that is the same for all that mean the same whatever the field is: lines joined, white space
        /// around the members of a list removed; but as it is where a string is quoted, in which a comma means nothing.
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
