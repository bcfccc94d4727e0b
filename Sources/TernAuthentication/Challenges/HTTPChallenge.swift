// SPDX-License-Identifier: Apache-2.0

/// One challenge of `WWW-Authenticate` or `Proxy-Authenticate` (RFC 9110 §11.6.1, §11.7.1).
public struct HTTPChallenge: Hashable, Sendable {
    /// One parameter of a challenge.
    public struct Parameter: Hashable, Sendable {
        /// The name, in lower case.
        public let name: String
        /// The value, without its quotes and escapes.
        public let value: String

        /// Creates a parameter.
        ///
        /// - Parameters:
        ///   - name: the name; made lower case (RFC 9110 §11.2: "case-insensitive").
        ///   - value: the value, as it is meant.
        public init(name: String, value: String) {
            self.name = FieldText.lowercased(name)
            self.value = value
        }
    }

    /// The scheme.
    public let scheme: AuthenticationScheme
    /// What stands in place of parameters, such as the message of `Negotiate`; `nil` if there is none.
    public let token68: String?
    /// The parameters in their order; no name is there twice in what was parsed.
    public let parameters: [Parameter]

    /// Creates a challenge, as tests and servers do.
    ///
    /// - Parameters:
    ///   - scheme: the scheme.
    ///   - parameters: the parameters; none by default.
    ///   - token68: what stands in their place; `nil` by default.
    public init(scheme: AuthenticationScheme, parameters: [Parameter] = [], token68: String? = nil) {
        self.scheme = scheme
        self.parameters = parameters
        self.token68 = token68
    }

    /// The value of a parameter; `nil` if it is not there.
    ///
    /// - Parameter name: its name, in any case.
    public subscript(name: String) -> String? {
        let name = FieldText.lowercased(name)
        return self.parameters.first { $0.name == name }?.value
    }

    /// The protection space within the server, if the challenge names one (RFC 9110 §11.5).
    public var realm: String? { self["realm"] }
}

extension HTTPChallenge {
    /// Takes the values of `WWW-Authenticate` or `Proxy-Authenticate` apart.
    ///
    /// A value may hold several challenges, and a challenge several parameters, all separated by commas: a name with an
    /// equals sign behind it is a parameter of the challenge before it, any other begins a challenge. A challenge does
    /// not go on in another value. Schemes that nobody knows are kept.
    ///
    /// - Parameter fieldValues: the values of all such fields of one response, in their order; together at most 16 KiB.
    /// - Returns: the challenges in their order: at most 32, with at most 64 parameters each; empty if there are none.
    /// - Throws: ``ChallengeViolation`` at the first rule that is broken; then none of the challenges can be trusted.
    /// - Complexity: O(*n*) in the length of the values.
    /// - SeeAlso: RFC 9110 §11.6.1.
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
}

extension HTTPChallenge: CustomStringConvertible {
    /// Scheme and realm; neither nonces nor messages, so that it is safe to log.
    public var description: String {
        guard let realm = self.realm else { return self.scheme.description }
        return "\(self.scheme) realm=\(FieldText.quoted(realm))"
    }
}
