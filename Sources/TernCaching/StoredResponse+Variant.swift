// SPDX-License-Identifier: Apache-2.0
public import HTTPTypes

extension StoredResponse {
    /// The request fields that must have the same values again, so that a stored response may answer a request.
    ///
    /// See RFC 9111 §4.1. Only digests of the values are stored, because the values may be secrets, such as cookies.
    public struct Variant: Hashable, Sendable {
        /// A request field to compare, such as one that `Vary` names, with a digest of its value.
        public struct SelectingField: Hashable, Sendable {
            /// The name of the field, in lower case.
            public var name: String
            /// The digest of the field's value; `nil` if the request of the response did not have the field.
            public var digest: String?

            package init(name: String, digest: String?) {
                self.name = name
                self.digest = digest
            }
        }

        /// The maximum number of fields in `Vary`, of which servers usually name one to five.
        package static let maximumCount = 32

        /// The request fields to compare, such as those of `Vary`.
        public var nominations: [SelectingField]

        /// Creates a variant from the request fields to compare.
        public init(nominations: [SelectingField] = []) { self.nominations = nominations }

        /// Creates a variant from the `Vary` of a response and the request for it; `nil` if `Vary` contains `*` (RFC 9111 §4.1),
        /// an invalid name, or too many names.
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

        /// Returns whether each of the fields has the same value as in the original request, or is absent in both (RFC 9111 §4.1);
        /// `digest` must be the function that created the stored digests.
        public func matches(_ request: HTTPFields, digest: (String) -> String) -> Bool {
            self.nominations.allSatisfy { $0.digest == Self.value(of: $0.name, in: request).map(digest) }
        }

        /// Joins lines, and removes white space around list members, unless a comma may be within a quoted string.
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
