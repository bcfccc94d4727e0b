// SPDX-License-Identifier: Apache-2.0

import TernAuthentication
import TernRequests

/// Answers challenges and learns from servers, and traps unless each answer can be sent and says what it should.
///
/// The first three lines are challenge, name and password. Each line behind them is an event, named by its first letter: `c` is
/// a new challenge, `i` an `Authentication-Info`, `t` a request with this target, anything else one with this client's nonce.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzDigest(_ start: UnsafePointer<UInt8>, _ count: Int) -> CInt {
    let bytes = UnsafeBufferPointer(start: start, count: count)
    let lines = bytes.split(separator: 0x0A, maxSplits: 32, omittingEmptySubsequences: false).map {
        String(decoding: $0, as: UTF8.self)
    }
    guard lines.count >= 3, let challenge = challenges(lines[0]).first else { return 0 }
    let origin = Origin(scheme: .https, host: "example.org")
    let credential = Credential(user: lines[1], password: lines[2])
    guard var authorizer = try? Authorizer(challenge, credential, origin: origin, target: "/a/b") else { return 0 }
    precondition(!"\(authorizer)\(credential)".contains(lines[2]) || lines[2].count < 16, "a password is shown")
    var last = ""
    for line in lines[3...] {
        let rest = String(line.dropFirst())
        switch line.first {
        case "c": _ = authorizer.challenged(by: challenges(rest))
        case "i": try? authorizer.received(authenticationInfo: rest, responseBodyHash: rest.isEmpty ? nil : "0")
        case "t":
            _ = authorizer.covers(origin, target: rest)
            use(&authorizer, target: rest, cnonce: "c", user: lines[1], last: &last)
        default: use(&authorizer, target: "/", cnonce: line, user: lines[1], last: &last)
        }
    }
    return 0
}

/// Makes one field value and reads it as a server would.
func use(_ authorizer: inout Authorizer, target: String, cnonce: String, user: String, last: inout String) {
    var hasher = authorizer.bodyHasher
    withUnsafeBytes(of: UInt64(0)) { hasher?.update($0) }
    let hash = hasher?.finalize()
    guard let value = try? authorizer.fieldValue(method: "GET", target: target, bodyHash: hash, cnonce: cnonce) else {
        return
    }
    precondition(value.utf8.allSatisfy { $0 >= 0x20 && $0 != 0x7F || $0 == 9 }, "a control character")
    guard authorizer.scheme == .digest, value.utf8.count <= 16 * 1024 else { return }
    let read = challenges(value)
    guard read.count == 1, let fields = read.first else { preconditionFailure("not one list of parameters") }
    precondition(fields["uri"] == target, "another target")
    precondition(fields["response"]?.allSatisfy(\.isHexDigit) == true, "no response")
    precondition((fields["qop"] == nil) == (fields["nc"] == nil), "half of a count")
    if fields["userhash"] == nil, let name = fields["username"] { precondition(name == user, "another name") }
    if let count = fields["nc"] {
        precondition(count.utf8.count == 8 && fields["cnonce"] == cnonce, "a wrong count or nonce")
        let use = "\(fields["nonce"] ?? "") \(count)"
        precondition(use != last, "a nonce was counted twice")
        last = use
    }
}

/// The challenges of one field, if they can be read.
func challenges(_ value: String) -> [HTTPChallenge] { (try? HTTPChallenge.parse([value])) ?? [] }
