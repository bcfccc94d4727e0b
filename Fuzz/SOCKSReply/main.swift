// SPDX-License-Identifier: Apache-2.0

import TernErrors
import TernProxies

/// Answers a SOCKS handshake in one piece and byte by byte, and traps if the results differ.
///
/// The first byte chooses whether the client has a user name and a password. The rest are the proxy's bytes.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzSOCKSReply(_ start: UnsafePointer<UInt8>, _ count: Int) -> CInt {
    guard count >= 1 else { return 0 }
    let bytes = Array(UnsafeBufferPointer(start: start + 1, count: count - 1))
    let hasCredentials = start[0] & 1 != 0
    let whole = outcome(of: bytes, pieceByteCount: max(bytes.count, 1), hasCredentials: hasCredentials)
    let single = outcome(of: bytes, pieceByteCount: 1, hasCredentials: hasCredentials)
    precondition(whole == single, "the split matters")
    precondition(whole.consumedByteCount <= 2 + 2 + 262, "more than the answers was consumed")
    return 0
}

/// The result of a handshake.
struct Outcome: Equatable {
    var sent: [[UInt8]] = []
    var consumedByteCount = 0
    var isConnected = false
    var violation: SOCKSViolation?
}

func outcome(of bytes: [UInt8], pieceByteCount: Int, hasCredentials: Bool) -> Outcome {
    let (user, password) = hasCredentials ? ("user", "password") : (nil, nil)
    guard var handshake = try? SOCKS5Handshake(host: "example.com", port: 443, user: user, password: password) else {
        preconditionFailure("a handshake that is none")
    }
    var (outcome, end) = (Outcome(), 0)
    while true {
        do throws(SOCKSViolation) {
            let step = try handshake.receive(bytes[outcome.consumedByteCount..<end].span.bytes)
            outcome.consumedByteCount += step.consumedByteCount
            precondition(outcome.consumedByteCount <= end, "consumed what did not come")
            switch step.action {
            case .receive(let byteCount):
                precondition(step.consumedByteCount == 0 && byteCount <= 262, "waits for too much")
                precondition(byteCount > end - outcome.consumedByteCount, "waits for what is there")
                guard end < bytes.count else { return outcome }
                end = min(end + pieceByteCount, bytes.count)
            case .send(let bytes): outcome.sent.append(bytes)
            case .connected:
                outcome.isConnected = true
                return outcome
            }
        } catch {
            precondition(!error.description.isEmpty && !error.failure.description.isEmpty)
            outcome.violation = error
            return outcome
        }
    }
}
