// SPDX-License-Identifier: Apache-2.0
import Tern
import Testing

@testable import TernCommand

@Suite("How a command ends")
struct OutcomeTests {
    static let context = ClientError.Context(phase: .head)

    static let errors: [(error: ClientError, outcome: Outcome, exitCode: Int32)] = [
        (.cancelled(context), .interrupted, 130),
        (.invalidRequest(.missingHost, context), .invalidRequest, 3),
        (.timedOut(.call, limit: .seconds(1), context), .timedOut, 28),
        (.timedOut(.connect, limit: .seconds(1), context), .timedOut, 28),
        (.connectionFailed(.resolution(isTemporary: true), context), .resolutionFailed, 6),
        (.connectionFailed(.resolution(isTemporary: false), context), .resolutionFailed, 6),
        (.connectionFailed(.refused, context), .connectionFailed, 7),
        (.connectionFailed(.socketNotFound, context), .connectionFailed, 7),
        (.tlsFailed(.rejected, context), .notTrusted, 60),
        (.tlsFailed(.unknownRoot(issuer: ""), context), .notTrusted, 60),
        (.tlsFailed(.pinMismatch, context), .notPinned, 90),
        (.tlsFailed(.clientCertificateRequired, context), .clientCertificate, 58),
        (.tlsFailed(.clientCertificateRefused, context), .clientCertificate, 58),
        (.tlsFailed(.versionNotSupported, context), .tlsFailed, 35),
        (.tlsFailed(.configuration(""), context), .tlsFailed, 35),
        (.redirectFailed(.loop, context), .redirectFailed, 47),
        (.authenticationFailed(.serverNotAuthentic, context), .authenticationFailed, 94),
        (.proxyFailed(.authenticationRequired, context), .proxyFailed, 97),
        (.connectionLost(.closed, context), .connectionLost, 56),
        (.truncated(received: 1, expected: 2, context), .truncated, 18),
        (.protocolViolation(section: "", reason: "", context), .protocolViolation, 8),
        (.bodyTooLarge(limit: 1, context), .tooLong, 63),
        (.lineTooLong(limit: 1, context), .tooLong, 63),
        (.valueTooLong(limit: 1, at: StreamPosition(index: 0, byteOffset: 0), context), .tooLong, 63),
        (.uploadFailed(.fileNotFound, context), .uploadFailed, 26),
        (.fileFailed(.diskFull, context), .fileFailed, 23),
        (.messageTooLarge(limit: 1, context), .tooLong, 63),
        (.validationFailed(ValidationFailure(.status(404)), context), .unsuccessfulStatus, 22),
        (.decodingFailed(DecodingFailure(.emptyBody, type: "X"), context), .other, 1),
        (.webSocketRefused(WebSocketFailure(.status(401)), context), .unsuccessfulStatus, 22),
        (.webSocketRefused(WebSocketFailure(.handshake(section: "", reason: "")), context), .protocolViolation, 8),
        (.webSocketRefused(WebSocketFailure(.notSupported), context), .other, 1),
        (.webSocketClosed(code: 1000, context), .connectionLost, 56),
        (.bodyMisused(.concurrentReads, context), .other, 1),
        (.notCached(context), .other, 1),
    ]

    @Test(arguments: errors)
    func `each error of the client has its exit code`(error: ClientError, outcome: Outcome, exitCode: Int32) {
        #expect(Outcome(error) == outcome)
        #expect(outcome.exitCode == exitCode)
    }

    @Test(arguments: [System.hangUp, System.interrupt, System.terminate])
    func `a command that a signal ended exits with its number and 128`(_ number: CInt) {
        #expect(Outcome(signal: number)?.exitCode == 128 + number)
        #expect(Outcome(signal: number)?.isUserRequested == true && Outcome(signal: nil) == nil)
    }

    @Test func `no two outcomes share an exit code`() {
        #expect(Set(Outcome.allCases.map(\.exitCode)).count == Outcome.allCases.count)
    }

    @Test func `the help lists every exit code`() {
        let lines: [Substring] = Outcome.table.split { $0 == "\n" }
        // The second line of a long meaning begins with spaces instead of a number.
        let exitCodes = lines.compactMap { Int32($0.prefix(5).drop { $0 == " " }) }
        #expect(exitCodes == Outcome.allCases.map(\.exitCode))
    }
}
