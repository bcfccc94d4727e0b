// SPDX-License-Identifier: Apache-2.0

extension RequestReader {
    /// The methods that code can be generated for, and `WEBSOCKET`, which some editors use instead of `GET`.
    private static let methods = [
        "GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "TRACE", "QUERY", "WEBSOCKET",
    ]

    /// The methods that editors accept, too (RFC 3253, RFC 4918, RFC 5323, and caches).
    private static let otherMethods = [
        "PROPFIND", "PROPPATCH", "MKCOL", "COPY", "MOVE", "LOCK", "UNLOCK", "REPORT", "SEARCH", "PURGE", "LINK",
        "UNLINK",
    ]

    /// Reads the method, and returns whether the word is one: without text after it, it is a URL, unless it is in capital letters.
    mutating func readMethod(_ word: FileLine, before rest: FileLine) throws(Diagnostic) -> Bool {
        let isCapital = word.bytes.allSatisfy { $0 &- 0x41 < 26 || $0 == UInt8(ascii: "-") }
        if !isCapital {
            let name = word.bytes.text.uppercased()
            guard self.isLenient, !rest.isBlank, Self.isMethod(name) else { return false }
            try self.tolerance.forgive(.methodInLowerCase, at: word.position)
        }
        let name = word.bytes.text.uppercased()
        if self.isLenient, name == "GRAPHQL" {
            (self.request.method, self.isGraphQL) = ("POST", true)
            return true
        }
        if !Self.methods.contains(name) {
            guard Self.otherMethods.contains(name) else { throw Diagnostic(.unknownMethod, at: word.position) }
            try self.tolerance.forgive(.unknownMethod, at: word.position)
        }
        self.request.method = name
        return true
    }

    static func isMethod(_ word: String) -> Bool {
        Self.methods.contains(word) || Self.otherMethods.contains(word) || word == "GRAPHQL"
    }
}
