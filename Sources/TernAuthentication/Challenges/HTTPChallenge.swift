// SPDX-License-Identifier: Apache-2.0

/// One challenge of `WWW-Authenticate` or `Proxy-Authenticate` (RFC 9110 §11.6.1, §11.7.1).
public struct HTTPChallenge: Hashable, Sendable {
    /// One parameter of a challenge.
    public struct Parameter: Hashable, Sendable {
        /// The name, in lower case.
        public let name: String
        /// The value, without its quotes and escapes; read as Latin-1 (ISO 8859-1) if it is not UTF-8.
        public let value: String
        /// The value as it came, if it is not UTF-8: ``value`` has other bytes then.
        private let foreignBytes: [UInt8]?

        /// Creates a parameter.
        ///
        /// - Parameters:
        ///   - name: the name; made lower case (RFC 9110 §11.2: "case-insensitive").
        ///   - value: the value, as it is meant.
        public init(name: String, value: String) {
            self.name = FieldText.lowercased(name)
            self.value = value
            self.foreignBytes = nil
        }

        /// Creates a parameter from what a server sent.
        ///
        /// RFC 9110 §5.5: "Historically, HTTP allowed field content with text in the ISO-8859-1 charset", and devices still
        /// send it.
        init(name: String, bytes: [UInt8]) {
            let text = String(validating: bytes, as: UTF8.self)
            self.name = FieldText.lowercased(name)
            self.value = text ?? String(String.UnicodeScalarView(bytes.map { Unicode.Scalar($0) }))
            self.foreignBytes = text == nil ? bytes : nil
        }

        /// The value, byte for byte as the server sent it.
        package var bytes: [UInt8] { self.foreignBytes ?? Array(self.value.utf8) }
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

    /// The value of a parameter, byte for byte as the server sent it; `nil` if it is not there.
    package func bytes(of name: String) -> [UInt8]? { self.parameters.first { $0.name == name }?.bytes }

    /// The protection space within the server, if the challenge names one (RFC 9110 §11.5).
    public var realm: String? { self["realm"] }
}

extension HTTPChallenge {
    /// Takes the values of `WWW-Authenticate` or `Proxy-Authenticate` apart.
    ///
    /// A value may hold several challenges, and a challenge several parameters, all separated by commas: a name with an
    /// equals sign behind it is a parameter of the challenge before it, any other begins a challenge. A challenge does
    /// not go on in another value. Unknown schemes are kept, and so is a realm that should have been quoted, such as
    /// `Basic realm=My Router`.
    ///
    /// - Parameter fieldValues: the values of all such fields of one response, in their order; together at most 16 KiB.
    /// - Returns: the challenges in their order: at most 32, with at most 64 parameters each; empty if there are none.
    /// - Throws: ``ChallengeViolation`` at the first rule that is broken. The client itself does not end there: it answers
    ///   the challenges that can be read.
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

    /// Takes those challenges that can be read from the values of `WWW-Authenticate` or `Proxy-Authenticate`.
    ///
    /// A server that offers one scheme wrongly still offers the others. A value counts up to its first fault, without the
    /// challenge that has the fault; the other values are read all the same. What comes behind a fault is not read, because
    /// nothing tells where the next challenge begins.
    ///
    /// - Parameter fieldValues: the bytes of all such fields of one response, in their order.
    /// - Returns: the challenges in their order, within the limits of ``parse(_:)``; a value that exceeds 16 KiB together
    ///   with those before it is left out.
    package static func readable(in fieldValues: [[UInt8]]) -> [HTTPChallenge] {
        var remainingByteCount = ChallengeParser.maximumByteCount
        var challenges: [HTTPChallenge] = []
        for value in fieldValues where value.count <= remainingByteCount {
            remainingByteCount -= value.count
            var parser = ChallengeParser(value)
            // What was read before the fault is there.
            try? parser.readChallenges(into: &challenges)
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

/// Why a server refused a bearer token (RFC 6750 §3.1).
package struct BearerError: RawRepresentable, Hashable, Sendable, CustomStringConvertible {
    /// The request lacks a parameter, repeats one or has two tokens; comes with 400.
    package static let invalidRequest = BearerError(rawValue: "invalid_request")
    /// The token expired, was revoked or is broken; comes with 401, and another token may do.
    package static let invalidToken = BearerError(rawValue: "invalid_token")
    /// The token is good, but not for this; comes with 403.
    package static let insufficientScope = BearerError(rawValue: "insufficient_scope")

    /// The code as the server sent it.
    package let rawValue: String

    /// Creates a code.
    ///
    /// - Parameter rawValue: the code; compared byte by byte.
    package init(rawValue: String) { self.rawValue = rawValue }

    /// The code.
    package var description: String { self.rawValue }
}

extension HTTPChallenge {
    /// Why the token was refused; `nil` if the request had none (RFC 6750 §3.1), or if the scheme is not Bearer.
    package var bearerError: BearerError? {
        self.scheme == .bearer ? self["error"].map(BearerError.init(rawValue:)) : nil
    }

    /// The server's explanation for developers; `nil` if there is none, or if the scheme is not Bearer.
    package var bearerErrorDescription: String? { self.scheme == .bearer ? self["error_description"] : nil }

    /// What a token has to be good for (RFC 6750 §3); empty if the server does not say, or if the scheme is not Bearer.
    package var bearerScopes: [String] {
        guard self.scheme == .bearer else { return [] }
        return (self["scope"] ?? "").split(separator: " ").map(String.init)
    }
}
