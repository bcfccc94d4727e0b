// SPDX-License-Identifier: Apache-2.0
import TernErrors
import TernFoundation
import Testing

/// Tests the parts of the sentences that an app may show.
@Suite("Sentences")
struct SentenceTests {
    @Test(
        arguments: [
            (0, "1970-01-01"), (-1, "1969-12-31"), (951_782_400, "2000-02-29"), (951_868_800, "2000-03-01"),
            (1_767_225_599, "2025-12-31"), (1_767_225_600, "2026-01-01"), (4_107_542_400, "2100-03-01"),
            (4_107_542_399, "2100-02-28"), (253_402_300_799, "9999-12-31"), (.infinity, "9999-12-31"),
            (-62_135_596_800, "0001-01-01"), (-.infinity, "0001-01-01"),
        ] as [(Double, String)]
    )
    func `a day is written as ISO 8601 has it`(_ seconds: Double, _ text: String) {
        #expect(Sentence.day(of: Date(timeIntervalSince1970: seconds)) == text)
    }

    @Test func `a date that is none does not trap`() {
        #expect(Sentence.day(of: Date(timeIntervalSince1970: .nan)).count == 10)
    }

    @Test func `what another party wrote stays within its quotation marks`() {
        #expect(Sentence.quoted("a (b) \"c\"\nd") == "\"a [b] 'c'?d\"")
        #expect(Sentence.quoted(String(repeating: "x", count: 100)).count == 35)
        #expect(Sentence.quoted("") == "\"\"")
    }

    @Test(
        arguments: [
            ("The server masked a frame.", "the server masked a frame"), ("A CR has no LF.", "a CR has no LF"),
            ("TLS 1.3 is missing.", "TLS 1.3 is missing"), ("some text", "some text"), ("A", "A"), (".", ""), ("", ""),
        ] as [(String, String)]
    )
    func `a log line continues with the reason`(_ reason: String, _ clause: String) {
        let error = ClientError.protocolViolation(section: "§1", reason: reason, ClientError.Context(phase: .head))
        #expect(error.summary == "the client rejected what the server sent: \(clause) (§1)")
    }

    @Test func `a section may follow the reason`() {
        let failure = AuthenticationFailure.credentialNotUsable("The token is empty. (RFC 6750 §2.1)")
        #expect("\(failure)" == "the credential cannot be used: the token is empty (RFC 6750 §2.1)")
    }

    @Test(
        arguments: [
            (.connect, .seconds(1), "1 second"), (.connect, .seconds(60), "60 seconds"),
            (.idle, .milliseconds(1500), "1.5 seconds"), (.call, .zero, "0 seconds"),
            (.call, .seconds(Int64.max), "seconds"),
        ] as [(Timeout, Duration, String)]
    )
    func `a limit is given in seconds`(_ timeout: Timeout, _ limit: Duration, _ text: String) {
        let error = ClientError.timedOut(timeout, limit: limit, ClientError.Context(phase: .head))
        #expect(error.errorDescription?.contains(text) == true)
    }

    @Test func `a limit of the whole call gives no advice that the client does not follow`() {
        let error = ClientError.timedOut(.call, limit: .seconds(2), ClientError.Context(phase: .head))
        #expect(!error.isRetryable)
        #expect(error.errorDescription == "The request to the server took longer than the limit of 2 seconds.")
    }

    @Test func `too many requests are named`() {
        let context = ClientError.Context(phase: .validate, origin: "https://a.example:443")
        let refused = ClientError.validationFailed(ValidationFailure(.status(429)), context)
        let socket = ClientError.webSocketRefused(WebSocketFailure(.status(429)), context)
        for error in [refused, socket] {
            #expect(error.errorDescription?.contains("429; there were too many requests, so try again later.") == true)
        }
    }
}
