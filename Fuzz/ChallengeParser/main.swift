// SPDX-License-Identifier: Apache-2.0

import TernAuthentication

/// Reads lines as the values of `WWW-Authenticate`, and traps unless what was read means the same when it is written anew.
///
/// The same bytes are also read as a `.netrc` file.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzChallengeParser(_ start: UnsafePointer<UInt8>, _ count: Int) -> CInt {
    let bytes = UnsafeBufferPointer(start: start, count: count)
    readNetrc(String(decoding: bytes, as: UTF8.self))
    let values = bytes.split(separator: 0x0A, omittingEmptySubsequences: false).map {
        String(decoding: $0, as: UTF8.self)
    }
    do throws(ChallengeViolation) {
        let challenges = try HTTPChallenge.parse(values)
        check(challenges)
        // What is written anew is quoted, so it may be longer than what was read.
        let written = challenges.map(write)
        guard written.reduce(0, { $0 + $1.utf8.count + 1 }) <= 16 * 1024 else { return 0 }
        let again = try HTTPChallenge.parse(written)
        precondition(again == challenges, "one by one")
        let joined = try HTTPChallenge.parse([written.joined(separator: ",")])
        precondition(joined == challenges, "in one list")
    } catch {
        precondition(!error.description.isEmpty && !error.section.isEmpty)
    }
    return 0
}

/// What holds for all that was accepted.
func check(_ challenges: [HTTPChallenge]) {
    precondition(challenges.count <= 32, "too many challenges")
    for challenge in challenges {
        precondition(!challenge.scheme.rawValue.isEmpty, "no scheme")
        precondition(challenge.token68 == nil || challenge.parameters.isEmpty, "a token and parameters")
        let names = challenge.parameters.map(\.name)
        precondition(names.count <= 64 && Set(names).count == names.count, "too many parameters")
        for parameter in challenge.parameters {
            precondition(challenge[parameter.name.uppercased()] == parameter.value, "a parameter was lost")
            precondition(parameter.value.utf8.allSatisfy { $0 >= 0x20 && $0 != 0x7F || $0 == 9 }, "a control character")
        }
    }
    let ranked = ChallengeRanking.strongestFirst(challenges)
    precondition(ranked.allSatisfy(challenges.contains), "a challenge from nowhere")
    precondition(ChallengeRanking.strongestFirst(ranked) == ranked, "the order is not stable")
}

/// A challenge as a server would write it.
func write(_ challenge: HTTPChallenge) -> String {
    if let token68 = challenge.token68 { return "\(challenge.scheme) \(token68)" }
    let parameters = challenge.parameters.map { parameter in
        let bytes = parameter.value.utf8.flatMap { $0 == 0x22 || $0 == 0x5C ? [0x5C, $0] : [$0] }
        let value = String(decoding: bytes, as: UTF8.self)
        return "\(parameter.name)=\"\(value)\""
    }
    return parameters.isEmpty ? challenge.scheme.rawValue : "\(challenge.scheme) \(parameters.joined(separator: ", "))"
}

/// Reads a file and asks it.
func readNetrc(_ text: String) {
    guard let netrc = try? Netrc(parsing: text) else { return }
    let any = netrc.entry(forHost: "h", user: "u")
    precondition(any?.user ?? "u" == "u", "another name than was asked for")
    _ = netrc.entry(forHost: "")
}
