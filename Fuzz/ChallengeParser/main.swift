// SPDX-License-Identifier: Apache-2.0

import TernAuthentication

/// Reads lines as the values of `WWW-Authenticate`, and traps if writing and reading the challenges changes them.
///
/// A line may be malformed, and need not be UTF-8.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzChallengeParser(_ start: UnsafePointer<UInt8>, _ count: Int) -> CInt {
    let bytes = UnsafeBufferPointer(start: start, count: count)
    let lines = bytes.split(separator: 0x0A, omittingEmptySubsequences: false).map(Array.init)
    let challenges = HTTPChallenge.readable(in: lines)
    check(challenges)
    checkFaults(of: lines, challenges)
    // The written text is quoted, so it may be longer than the input.
    let written = challenges.map(write)
    if written.reduce(0, { $0 + $1.count + 1 }) <= 16 * 1024 {
        precondition(HTTPChallenge.readable(in: written) == challenges, "one by one")
        let joined = Array(written.joined(separator: [0x2C]))
        precondition(HTTPChallenge.readable(in: [joined]) == challenges, "in one list")
    }
    checkStrictly(lines, challenges)
    return 0
}

/// Checks that a malformed line does not affect the other lines.
func checkFaults(of lines: [[UInt8]], _ challenges: [HTTPChallenge]) {
    let single = lines.flatMap { HTTPChallenge.readable(in: [$0]) }
    guard single.count <= 32 else { return }
    precondition(single == challenges, "a line changes another")
    let fault = Array("Basic realm=\"".utf8)
    let between = Array(lines.map { [$0] }.joined(separator: [fault]))
    guard between.reduce(0, { $0 + $1.count }) <= 16 * 1024 else { return }
    precondition(HTTPChallenge.readable(in: between) == challenges, "a fault hides others")
}

/// Checks that no challenge is left out if no line breaks a rule.
///
/// The strict reader accepts only UTF-8.
func checkStrictly(_ lines: [[UInt8]], _ challenges: [HTTPChallenge]) {
    let texts = lines.compactMap { String(validating: $0, as: UTF8.self) }
    guard texts.count == lines.count else { return }
    do throws(ChallengeViolation) {
        let strict = try HTTPChallenge.parse(texts)
        precondition(strict == challenges, "something was left out")
    } catch {
        precondition(!error.description.isEmpty && !error.section.isEmpty)
    }
}

/// Checks the invariants of accepted values.
func check(_ challenges: [HTTPChallenge]) {
    precondition(challenges.count <= 32, "too many challenges")
    for challenge in challenges {
        precondition(!challenge.scheme.rawValue.isEmpty, "no scheme")
        precondition(challenge.token68 == nil || challenge.parameters.isEmpty, "a token and parameters")
        let names = challenge.parameters.map(\.name)
        precondition(names.count <= 64 && Set(names).count == names.count, "too many parameters")
        for parameter in challenge.parameters {
            precondition(challenge[parameter.name.uppercased()] == parameter.value, "a parameter was lost")
            precondition(challenge.bytes(of: parameter.name) == parameter.bytes, "bytes were lost")
            precondition(parameter.bytes.allSatisfy { $0 >= 0x20 && $0 != 0x7F || $0 == 9 }, "a control character")
        }
    }
    let ranked = ChallengeRanking.strongestFirst(challenges)
    precondition(ranked.allSatisfy(challenges.contains), "a challenge from nowhere")
    precondition(ChallengeRanking.strongestFirst(ranked) == ranked, "the order is not stable")
}

/// Returns a challenge like a server would write it.
func write(_ challenge: HTTPChallenge) -> [UInt8] {
    let scheme = Array(challenge.scheme.rawValue.utf8)
    if let token68 = challenge.token68 { return scheme + Array(" \(token68)".utf8) }
    let parameters = challenge.parameters.map { parameter in
        let value = parameter.bytes.flatMap { $0 == 0x22 || $0 == 0x5C ? [0x5C, $0] : [$0] }
        return Array("\(parameter.name)=\"".utf8) + value + [0x22]
    }
    return parameters.isEmpty ? scheme : scheme + [0x20] + Array(parameters.joined(separator: [0x2C, 0x20]))
}
