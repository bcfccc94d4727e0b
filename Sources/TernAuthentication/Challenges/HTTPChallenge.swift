// SPDX-License-Identifier: Apache-2.0
public import TernValues

/// One challenge of `WWW-Authenticate` or `Proxy-Authenticate` (RFC 9110 §11.6.1, §11.7.1).
public struct HTTPChallenge: Hashable, Sendable {
    /// One parameter of a challenge.
    public struct Parameter: Hashable, Sendable {
        /// The name, in lower case.
        public let name: String
        /// The value, without quotes and escapes; if it is not UTF-8, it is read as Latin-1 (ISO 8859-1).
        public let value: String
        /// The received bytes of a value that is not UTF-8.
        private let rawBytes: [UInt8]?

        /// Creates a parameter, and converts its name to lower case (RFC 9110 §11.2).
        public init(name: String, value: String) {
            self.name = FieldText.lowercased(name)
            self.value = value
            self.rawBytes = nil
        }

        /// Some devices still send ISO-8859-1 (RFC 9110 §5.5).
        init(name: String, bytes: [UInt8]) {
            let text = String(validating: bytes, as: UTF8.self)
            self.name = FieldText.lowercased(name)
            self.value = text ?? String(String.UnicodeScalarView(bytes.map { Unicode.Scalar($0) }))
            self.rawBytes = text == nil ? bytes : nil
        }

        package var bytes: [UInt8] { self.rawBytes ?? Array(self.value.utf8) }
    }

    /// The authentication scheme.
    public let scheme: AuthenticationScheme
    /// The text in place of parameters, such as the message of `Negotiate`; `nil` if the challenge has none.
    public let token68: String?
    /// The parameters in their order; in a parsed challenge, each name occurs once.
    public let parameters: [Parameter]

    /// Creates a challenge, for example in a test or a server.
    public init(scheme: AuthenticationScheme, parameters: [Parameter] = [], token68: String? = nil) {
        self.scheme = scheme
        self.parameters = parameters
        self.token68 = token68
    }

    /// Returns the value of a parameter; `nil` if the challenge does not have it.
    public subscript(name: String) -> String? {
        let name = FieldText.lowercased(name)
        return self.parameters.first { $0.name == name }?.value
    }

    package func bytes(of name: String) -> [UInt8]? { self.parameters.first { $0.name == name }?.bytes }

    /// The name of the protection space on the server (RFC 9110 §11.5); `nil` if the challenge has no realm.
    public var realm: String? { self["realm"] }

    /// Whether the server refused only the nonce, as only Digest can say; `stale` is compared without case (RFC 7616 §3.3).
    package var isStale: Bool {
        self.scheme == .digest && FieldText.lowercased(self["stale"] ?? "") == "true"
    }
}

extension HTTPChallenge {
    /// Parses the values of `WWW-Authenticate` or `Proxy-Authenticate` (RFC 9110 §11.6.1), in time O(*n*).
    ///
    /// Challenges with unknown schemes are kept. A realm may lack the required quotes, as in `Basic realm=My Router`.
    ///
    /// - Parameter fieldValues: The values of all such fields of one response, in their order; together at most 16 KiB.
    /// - Returns: The challenges in their order, at most 32, with at most 64 parameters each.
    /// - Throws: ``ChallengeViolation`` for the first broken rule.
    public static func parse(_ fieldValues: [String]) throws(ChallengeViolation) -> [HTTPChallenge] {
        var remainingByteCount = ChallengeParser.maximumByteCount
        var challenges: [HTTPChallenge] = []
        for value in fieldValues {
            remainingByteCount -= value.utf8.count
            guard remainingByteCount >= 0 else { throw .tooLong(limit: ChallengeParser.maximumByteCount) }
            var parser = ChallengeParser(Array(value.utf8))
            try parser.readChallenges(into: &challenges)
        }
        return challenges
    }

    /// Returns the challenges; skips values beyond 16 KiB in all, and a value's rest from the last challenge before an error.
    package static func readable(in fieldValues: [[UInt8]]) -> [HTTPChallenge] {
        var remainingByteCount = ChallengeParser.maximumByteCount
        var challenges: [HTTPChallenge] = []
        for value in fieldValues where value.count <= remainingByteCount {
            remainingByteCount -= value.count
            var parser = ChallengeParser(value)
            // On an error, the array already contains the challenges before the malformed one.
            try? parser.readChallenges(into: &challenges)
        }
        return challenges
    }
}

extension HTTPChallenge: CustomStringConvertible, Described {
    /// The scheme and the realm; the text is safe to log, because it leaves out everything else.
    package var wording: String {
        guard let realm = self.realm else { return self.scheme.description }
        return "\(self.scheme) realm=\(FieldText.quoted(realm))"
    }
}

package struct BearerError: RawRepresentable, Hashable, Sendable, CustomStringConvertible {
    package static let invalidRequest = BearerError(rawValue: "invalid_request")
    package static let invalidToken = BearerError(rawValue: "invalid_token")
    package static let insufficientScope = BearerError(rawValue: "insufficient_scope")

    package let rawValue: String

    package init(rawValue: String) { self.rawValue = rawValue }

    package var description: String { self.rawValue }
}

extension HTTPChallenge {
    /// `nil` if the challenge names no reason, as after a request without a token (RFC 6750 §3.1).
    package var bearerError: BearerError? {
        self.scheme == .bearer ? self["error"].map(BearerError.init(rawValue:)) : nil
    }

    package var bearerErrorDescription: String? { self.scheme == .bearer ? self["error_description"] : nil }

    package var bearerScopes: [String] {
        guard self.scheme == .bearer else { return [] }
        return (self["scope"] ?? "").split(separator: " ").map(String.init)
    }
}
