// SPDX-License-Identifier: Apache-2.0

/// One challenge of `WWW-Authenticate` or `Proxy-Authenticate` (RFC 9110 §11.6.1, §11.7.1).
public struct HTTPChallenge: Hashable, Sendable {
    /// One parameter of a challenge.
    public struct Parameter: Hashable, Sendable {
        /// The name, in lower case.
        public let name: String
        /// The value, without quotes and escapes.
        ///
        /// A value that is not UTF-8 is read as Latin-1 (ISO 8859-1).
        public let value: String
        /// The received bytes of a value that is not UTF-8; `nil` for UTF-8.
        ///
        /// For such a value, encoding the text in ``value`` as UTF-8 would give different bytes.
        private let rawBytes: [UInt8]?

        /// Creates a parameter.
        ///
        /// - Parameters:
        ///   - name: The name; converted to lower case (RFC 9110 §11.2: "case-insensitive").
        ///   - value: The value, without quotes and escapes.
        public init(name: String, value: String) {
            self.name = FieldText.lowercased(name)
            self.value = value
            self.rawBytes = nil
        }

        /// Creates a parameter from received bytes.
        ///
        /// RFC 9110 §5.5: "Historically, HTTP allowed field content with text in the ISO-8859-1 charset", and some
        /// devices still send it.
        init(name: String, bytes: [UInt8]) {
            let text = String(validating: bytes, as: UTF8.self)
            self.name = FieldText.lowercased(name)
            self.value = text ?? String(String.UnicodeScalarView(bytes.map { Unicode.Scalar($0) }))
            self.rawBytes = text == nil ? bytes : nil
        }

        /// The value, byte for byte as the server sent it.
        package var bytes: [UInt8] { self.rawBytes ?? Array(self.value.utf8) }
    }

    /// The authentication scheme.
    public let scheme: AuthenticationScheme
    /// The text in place of parameters, such as the message of `Negotiate`; `nil` if the challenge has none.
    public let token68: String?
    /// The parameters in their order.
    ///
    /// In a parsed challenge, each name occurs once.
    public let parameters: [Parameter]

    /// Creates a challenge, for example in a test or a server.
    ///
    /// - Parameters:
    ///   - scheme: The authentication scheme.
    ///   - parameters: The parameters. Defaults to no parameters.
    ///   - token68: The text in place of parameters. Defaults to `nil`.
    public init(scheme: AuthenticationScheme, parameters: [Parameter] = [], token68: String? = nil) {
        self.scheme = scheme
        self.parameters = parameters
        self.token68 = token68
    }

    /// Returns the value of a parameter; `nil` if the challenge does not have it.
    ///
    /// - Parameter name: The name of the parameter, in any case.
    public subscript(name: String) -> String? {
        let name = FieldText.lowercased(name)
        return self.parameters.first { $0.name == name }?.value
    }

    /// Returns the value of a parameter, byte for byte as received; `nil` if the challenge does not have it.
    package func bytes(of name: String) -> [UInt8]? { self.parameters.first { $0.name == name }?.bytes }

    /// The name of the protection space on the server (RFC 9110 §11.5); `nil` if the challenge has no realm.
    public var realm: String? { self["realm"] }
}

extension HTTPChallenge {
    /// Parses the values of `WWW-Authenticate` or `Proxy-Authenticate`.
    ///
    /// Commas separate the challenges of a value, and also the parameters of a challenge. A name followed by an equals
    /// sign is a parameter of the preceding challenge; any other name begins a challenge. A challenge does not continue
    /// in another value. Challenges with unknown schemes are kept. A realm may lack the required quotes, as in
    /// `Basic realm=My Router`.
    ///
    /// - Parameter fieldValues: The values of all such fields of one response, in their order; together at most 16 KiB.
    /// - Returns: The challenges in their order, at most 32, with at most 64 parameters each.
    /// - Throws: ``ChallengeViolation`` for the first broken rule. The client itself is more lenient: it ignores
    ///   invalid challenges, and answers the valid ones.
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

    /// Returns the valid challenges from the values of `WWW-Authenticate` or `Proxy-Authenticate`.
    ///
    /// If a server sends one malformed challenge, the others are still usable. From each value, this method returns the
    /// challenges before the first malformed one. The rest of that value is ignored, because it is unclear where the
    /// next challenge begins. The other values are still parsed.
    ///
    /// - Parameter fieldValues: The bytes of all such fields of one response, in their order.
    /// - Returns: The challenges in their order, within the limits of ``parse(_:)``. The method skips a value that,
    ///   together with the values already parsed, exceeds 16 KiB.
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

extension HTTPChallenge: CustomStringConvertible {
    /// The scheme and the realm.
    ///
    /// The text is safe to log, because it leaves out all other parameters and the ``token68``.
    public var description: String {
        guard let realm = self.realm else { return self.scheme.description }
        return "\(self.scheme) realm=\(FieldText.quoted(realm))"
    }
}

/// The reason that a server refused a bearer token (RFC 6750 §3.1).
package struct BearerError: RawRepresentable, Hashable, Sendable, CustomStringConvertible {
    /// The request lacks a parameter, repeats a parameter or has two tokens.
    ///
    /// Servers send this code with status 400.
    package static let invalidRequest = BearerError(rawValue: "invalid_request")
    /// The token expired, was revoked or is malformed.
    ///
    /// Servers send this code with status 401.
    ///
    /// Another token may work.
    package static let invalidToken = BearerError(rawValue: "invalid_token")
    /// The token is valid, but not for this resource.
    ///
    /// Servers send this code with status 403.
    package static let insufficientScope = BearerError(rawValue: "insufficient_scope")

    /// The code as the server sent it.
    package let rawValue: String

    /// Creates a code.
    ///
    /// - Parameter rawValue: The code, which is compared byte by byte.
    package init(rawValue: String) { self.rawValue = rawValue }

    /// The code.
    package var description: String { self.rawValue }
}

extension HTTPChallenge {
    /// The reason that the server refused the token that a request carried.
    ///
    /// `nil` if the challenge names no reason, as after a request without a token (RFC 6750 §3.1), or if the scheme is
    /// not Bearer.
    package var bearerError: BearerError? {
        self.scheme == .bearer ? self["error"].map(BearerError.init(rawValue:)) : nil
    }

    /// The server's explanation for developers; `nil` if the server sent none, or if the scheme is not Bearer.
    package var bearerErrorDescription: String? { self.scheme == .bearer ? self["error_description"] : nil }

    /// The scopes that a token needs (RFC 6750 §3); empty if the server names none, or if the scheme is not Bearer.
    package var bearerScopes: [String] {
        guard self.scheme == .bearer else { return [] }
        return (self["scope"] ?? "").split(separator: " ").map(String.init)
    }
}
