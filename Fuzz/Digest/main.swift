// SPDX-License-Identifier: Apache-2.0

import TernAuthentication
import TernRequests

/// Answers challenges and processes the server's answers, and traps if the client sends an invalid or wrong answer.
///
/// The first three lines are a challenge, a user name and a password. Each further line is an event, and its first
/// letter is the kind: `c` is a new challenge, `r` a challenge whose nonce the client uses even without `stale`, `i` an
/// `Authentication-Info`, and `t` a request with this target. Any other letter begins a request with this client nonce.
/// Challenges need not be UTF-8.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzDigest(_ start: UnsafePointer<UInt8>, _ count: Int) -> CInt {
    let bytes = UnsafeBufferPointer(start: start, count: count)
    let lines = bytes.split(separator: 0x0A, maxSplits: 32, omittingEmptySubsequences: false).map(Array.init)
    guard lines.count >= 3, let challenge = HTTPChallenge.readable(in: [lines[0]]).first else { return 0 }
    let origin = Origin(scheme: .https, host: "example.org")
    let (user, password) = (String(decoding: lines[1], as: UTF8.self), String(decoding: lines[2], as: UTF8.self))
    let credential = Credential(user: user, password: password)
    guard let authorizer = try? Authorizer(challenge, credential, origin: origin, target: "/a/b") else { return 0 }
    precondition(!"\(authorizer)\(credential)".contains(password) || password.count < 16, "a password is shown")
    var client = Client(challenge: challenge, user: user, authorizer: authorizer)
    for line in lines[3...] {
        let rest = Array(line.dropFirst())
        let text = String(decoding: rest, as: UTF8.self)
        switch line.first {
        case UInt8(ascii: "c"):
            // A server may send an old nonce again. The count then starts at one.
            if client.authorizer.challenged(by: HTTPChallenge.readable(in: [rest])) == .again { client.last = "" }
        case UInt8(ascii: "r"): client.renew(HTTPChallenge.readable(in: [rest]))
        case UInt8(ascii: "i"):
            let hash = rest.isEmpty ? nil : "0"
            try? client.authorizer.received(authenticationInfo: rest, responseBodyHash: hash)
        case UInt8(ascii: "t"):
            _ = client.authorizer.covers(origin, target: text)
            client.use(target: text, cnonce: "c")
        default: client.use(target: "/", cnonce: String(decoding: line, as: UTF8.self))
        }
    }
    return 0
}

/// Answers challenges, and checks the invariants between answers.
struct Client {
    let challenge: HTTPChallenge
    let user: String
    var authorizer: Authorizer
    /// The nonce of the last answer, and its count.
    var last = ""

    mutating func renew(_ challenges: [HTTPChallenge]) {
        guard let nonce = self.authorizer.nonce else { return }
        if self.authorizer.renew(from: challenges, replacing: nonce) {
            precondition(self.authorizer.nonce != nonce, "the same nonce is new")
            self.last = ""
        } else {
            precondition(self.authorizer.nonce == nonce, "another nonce is not new")
        }
    }

    /// Creates a field value and reads it like a server.
    mutating func use(target: String, cnonce: String) {
        var hasher = self.authorizer.bodyHasher
        withUnsafeBytes(of: UInt64(0)) { hasher?.update($0) }
        let hash = hasher?.finalize()
        guard
            let value = try? self.authorizer.fieldBytes(method: "GET", target: target, bodyHash: hash, cnonce: cnonce)
        else { return }
        precondition(value.allSatisfy { $0 >= 0x20 && $0 != 0x7F || $0 == 9 }, "a control character")
        guard self.authorizer.scheme == .digest, value.count <= 16 * 1024 else { return }
        let read = HTTPChallenge.readable(in: [value])
        guard read.count == 1, let fields = read.first else { preconditionFailure("not one list of parameters") }
        precondition(fields["uri"] == target, "another target")
        precondition(fields.bytes(of: "realm") == self.challenge.bytes(of: "realm"), "another realm")
        precondition(fields.bytes(of: "nonce") == self.authorizer.nonce, "another nonce")
        precondition(fields["response"]?.allSatisfy(\.isHexDigit) == true, "no response")
        precondition((fields["qop"] == nil) == (fields["nc"] == nil), "half of a count")
        if fields["userhash"] == nil, let name = fields["username"] { precondition(name == self.user, "another name") }
        guard let count = fields["nc"] else { return }
        // With `-sess`, the client keeps its first nonce.
        let isSession = fields["algorithm"]?.lowercased().hasSuffix("-sess") == true
        precondition(count.utf8.count == 8 && (fields["cnonce"] == cnonce || isSession), "a wrong count or nonce")
        let use = "\(fields["nonce"] ?? "") \(count)"
        precondition(use != self.last, "a nonce was counted twice")
        self.last = use
    }
}
