// SPDX-License-Identifier: Apache-2.0

struct ChallengeParser {
    /// The maximum length of the fields with challenges, in bytes.
    ///
    /// Beyond it, the client ignores the value, and `HTTPChallenge.parse` throws. Kerberos messages take several KiB.
    static let maximumByteCount = 16 * 1024
    /// The maximum number of challenges in a response.
    ///
    /// Beyond it, the client ignores the rest. Real servers send at most five, such as one for each Digest algorithm.
    static let maximumChallengeCount = 32
    /// The maximum number of parameters of a challenge.
    ///
    /// Beyond it, the client ignores the challenge and the rest of the value. Digest has the most, nine in RFC 7616.
    static let maximumParameterCount = 64

    private let bytes: [UInt8]
    private var index = 0

    init(_ bytes: [UInt8]) { self.bytes = bytes }

    private var next: UInt8? { self.index < self.bytes.count ? self.bytes[self.index] : nil }

    // MARK: Lists

    /// Parses `[ challenge *( OWS "," OWS challenge ) ]` (RFC 9110 §11.6.1); on a violation, appends only the complete ones.
    mutating func readChallenges(into challenges: inout [HTTPChallenge]) throws(ChallengeViolation) {
        var open: Draft?
        repeat {
            self.skipBlanks()
            // RFC 9110 §5.6.1.2: a recipient "MUST parse and ignore a reasonable number of empty list elements".
            guard let first = self.next, first != UInt8(ascii: ",") else { continue }
            let start = self.index
            let name = try self.readToken()
            let hasBlank = self.skipBlanks()
            if self.next == UInt8(ascii: "=") {
                guard open?.takesParameters == true else { throw .parameterWithoutScheme(at: start) }
                try self.readValue(of: name, at: start, into: &open)
            } else {
                if let open { challenges.append(open.challenge) }
                guard challenges.count < Self.maximumChallengeCount else {
                    throw .tooManyChallenges(limit: Self.maximumChallengeCount)
                }
                open = Draft(scheme: name, takesParameters: hasBlank)
                if hasBlank { try self.readStart(of: &open) }
            }
            self.skipBlanks()
        } while self.skip(UInt8(ascii: ","))
        guard self.index == self.bytes.count else { throw .malformed(at: self.index) }
        if let open { challenges.append(open.challenge) }
    }

    /// Parses a list of parameters without a scheme, as in `Authentication-Info` (RFC 7615 §3).
    mutating func readParameters() throws(ChallengeViolation) -> HTTPChallenge {
        guard self.bytes.count <= Self.maximumByteCount else { throw .tooLong(limit: Self.maximumByteCount) }
        var draft: Draft? = Draft(scheme: "", takesParameters: true)
        repeat {
            self.skipBlanks()
            guard let first = self.next, first != UInt8(ascii: ",") else { continue }
            try self.readParameter(into: &draft)
            self.skipBlanks()
        } while self.skip(UInt8(ascii: ","))
        guard self.index == self.bytes.count, let draft else { throw .malformed(at: self.index) }
        return draft.challenge
    }

    // MARK: Challenges

    private struct Draft {
        var scheme: String
        /// `false` if no blank ("1*SP", RFC 9110 §11.3) follows the scheme, or if the challenge has a `token68`.
        var takesParameters: Bool
        var token68: String?
        var parameters: [HTTPChallenge.Parameter] = []

        var challenge: HTTPChallenge {
            HTTPChallenge(scheme: .init(rawValue: self.scheme), parameters: self.parameters, token68: self.token68)
        }
    }

    private mutating func readStart(of draft: inout Draft?) throws(ChallengeViolation) {
        guard let first = self.next, first != UInt8(ascii: ",") else { return }
        if let token68 = self.readToken68() {
            draft?.token68 = token68
            draft?.takesParameters = false
        } else {
            try self.readParameter(into: &draft)
        }
    }

    /// Parses a `token68` up to the next comma; returns `nil` and reads nothing if the element is a parameter.
    private mutating func readToken68() -> String? {
        var end = self.index
        while end < self.bytes.count, FieldText.isToken68Byte(self.bytes[end]) { end += 1 }
        guard end > self.index else { return nil }
        while end < self.bytes.count, self.bytes[end] == UInt8(ascii: "=") { end += 1 }
        let token = self.bytes[self.index..<end]
        while end < self.bytes.count, Self.isBlank(self.bytes[end]) { end += 1 }
        guard end == self.bytes.count || self.bytes[end] == UInt8(ascii: ",") else { return nil }
        self.index = end
        return String(decoding: token, as: UTF8.self)
    }

    // MARK: Parameters

    /// Parses `token BWS "=" BWS ( token / quoted-string )`.
    private mutating func readParameter(into draft: inout Draft?) throws(ChallengeViolation) {
        let start = self.index
        let name = try self.readToken()
        self.skipBlanks()
        guard self.next == UInt8(ascii: "=") else { throw .malformed(at: self.index) }
        try self.readValue(of: name, at: start, into: &draft)
    }

    private mutating func readValue(
        of name: String,
        at start: Int,
        into draft: inout Draft?
    ) throws(ChallengeViolation) {
        self.index += 1
        self.skipBlanks()
        let value: [UInt8]
        if self.next == UInt8(ascii: "\"") {
            value = try self.readQuotedString()
        } else if FieldText.lowercased(name) == "realm", let realm = self.readBareRealm() {
            value = realm
        } else {
            value = Array(try self.readToken().utf8)
        }
        let parameter = HTTPChallenge.Parameter(name: name, bytes: value)
        // RFC 9110 §11.2: each parameter name "MUST only occur once per challenge".
        if draft?.parameters.contains(where: { $0.name == parameter.name }) == true {
            throw .repeatedParameter(at: start)
        }
        guard (draft?.parameters.count ?? 0) < Self.maximumParameterCount else {
            throw .tooManyParameters(limit: Self.maximumParameterCount)
        }
        draft?.parameters.append(parameter)
    }

    /// Parses a realm without the required quotes (RFC 9110 §11.5), which many devices send; it may not have an equals sign,
    /// because the comma before another parameter may be missing.
    private mutating func readBareRealm() -> [UInt8]? {
        let element = self.bytes[self.index...].prefix { $0 != UInt8(ascii: ",") }
        let end = element.lastIndex { !Self.isBlank($0) }.map { $0 + 1 } ?? element.startIndex
        let realm = element[..<end]
        guard !realm.isEmpty, realm.allSatisfy(FieldText.isBareRealmByte) else { return nil }
        self.index = end
        return Array(realm)
    }

    // MARK: Words

    private mutating func readToken() throws(ChallengeViolation) -> String {
        let start = self.index
        while let byte = self.next, FieldText.isTokenByte(byte) { self.index += 1 }
        guard self.index > start else { throw .malformed(at: start) }
        return String(decoding: self.bytes[start..<self.index], as: UTF8.self)
    }

    private mutating func readQuotedString() throws(ChallengeViolation) -> [UInt8] {
        let start = self.index
        var value: [UInt8] = []
        self.index += 1
        while var byte = self.next {
            self.index += 1
            if byte == UInt8(ascii: "\"") { return value }
            if byte == UInt8(ascii: "\\") {
                guard let escaped = self.next else { break }
                self.index += 1
                byte = escaped
            }
            guard FieldText.isQuotableByte(byte) else { throw .invalidString(at: start) }
            value.append(byte)
        }
        throw .unterminatedString(at: start)
    }

    private static func isBlank(_ byte: UInt8) -> Bool { byte == UInt8(ascii: " ") || byte == UInt8(ascii: "\t") }

    @discardableResult
    private mutating func skipBlanks() -> Bool {
        let start = self.index
        while let byte = self.next, Self.isBlank(byte) { self.index += 1 }
        return self.index > start
    }

    private mutating func skip(_ byte: UInt8) -> Bool {
        guard self.next == byte else { return false }
        self.index += 1
        return true
    }
}
