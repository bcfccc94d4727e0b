// SPDX-License-Identifier: Apache-2.0
import HTTPTypes
import Tern
import TernErrors
@testable import TernTransferQueue
import Testing

@Suite("The result of an attempt")
struct AttemptResultTests {
    private static let now = HTTPDate(secondsSince1970: 1_800_000_000)
    private static let context = ClientError.Context(phase: .head)
    private static let passing = AttemptEnd.passing(retryAfter: nil, isAnswered: false)
    private static let answered = AttemptEnd.passing(retryAfter: nil, isAnswered: true)
    private static let permanent = AttemptEnd.failed(isAnswered: false)
    private static let refused = AttemptEnd.failed(isAnswered: true)

    private static func check(
        _ error: ClientError,
        _ reason: TransferFailure.Reason,
        _ end: AttemptEnd,
        sourceLocation: SourceLocation = #_sourceLocation
    ) {
        let result = AttemptResult(error, now: Self.now)
        #expect(result.end == end, "\(error)", sourceLocation: sourceLocation)
        #expect(result.failure?.reason == reason, "\(error)", sourceLocation: sourceLocation)
        #expect(result.failure?.message == "\(error)", sourceLocation: sourceLocation)
        #expect(result.failure?.error != nil, sourceLocation: sourceLocation)
    }

    @Test func `a network that is not reached does not count`() {
        for failure in [.noNetwork, .unreachable, .resolution(isTemporary: true)] as [ConnectionFailure] {
            Self.check(.connectionFailed(failure, Self.context), .network, .unreachable)
        }
        Self.check(.timedOut(.connect, limit: .seconds(1), Self.context), .network, .unreachable)
    }

    @Test func `a connection that fails or breaks passes`() {
        Self.check(.connectionFailed(.refused, Self.context), .connection, Self.answered)
        Self.check(.connectionFailed(.resolution(isTemporary: false), Self.context), .connection, Self.passing)
        Self.check(.connectionLost(.reset, Self.context), .connection, Self.passing)
        Self.check(.truncated(received: 1, expected: 2, Self.context), .connection, Self.passing)
        for timeout in [.idle, .firstByte, .call, .connection] as [Timeout] {
            Self.check(.timedOut(timeout, limit: .seconds(1), Self.context), .connection, Self.passing)
        }
        Self.check(.proxyFailed(.refused(status: 503), Self.context), .connection, Self.answered)
    }

    @Test func `what a person or a server must change does not pass`() {
        Self.check(.proxyFailed(.authenticationRequired, Self.context), .protocol, Self.permanent)
        Self.check(.authenticationFailed(.cancelled, Self.context), .protocol, Self.refused)
        Self.check(.protocolViolation(section: "", reason: "", Self.context), .protocol, Self.refused)
        Self.check(.digestFailed(.unexpected(algorithm: "sha-256"), Self.context), .digest, Self.refused)
        Self.check(.invalidRequest(.malformedURL, Self.context), .invalidRequest, Self.permanent)
        Self.check(.fileFailed(.diskFull, Self.context), .file, Self.permanent)
        Self.check(.fileFailed(.folderNotFound, Self.context), .file, Self.permanent)
        Self.check(.uploadFailed(.fileNotFound, Self.context), .file, Self.permanent)
        Self.check(.uploadFailed(.fileChanged, Self.context), .file, Self.permanent)
        Self.check(.uploadFailed(.tooLarge(limit: 1), Self.context), .refused, Self.refused)
        Self.check(.uploadFailed(.completionUnknown, Self.context), .possiblyProcessed, Self.refused)
        Self.check(.cancelled(Self.context), .other, Self.permanent)
    }

    @Test func `what other code may be able to do later passes`() {
        Self.check(.fileFailed(.inUse, Self.context), .file, Self.passing)
        Self.check(.interceptorFailed(CancellationError(), Self.context), .delegate, Self.passing)
    }

    @Test(arguments: [300, 304, 400, 401, 403, 404, 409, 410, 413, 416, 422, 501, 505, 506, 510])
    func `a status that refuses the request does not pass`(_ status: Int) {
        let result = AttemptResult(status: status, [:], now: Self.now, nil)
        #expect(result.end == Self.refused)
        #expect(result.failure?.reason == .refused)
    }

    @Test(arguments: [408, 425, 429, 500, 502, 503, 504, 507, 520])
    func `a status that means a temporary problem passes`(_ status: Int) {
        let result = AttemptResult(status: status, [:], now: Self.now, nil)
        #expect(result.end == Self.answered)
        #expect(result.failure?.reason == .serverUnavailable)
    }

    // MARK: Uploads that must not be processed twice

    @Test(arguments: [307, 308, 400, 403, 408, 413, 425, 429, 501, 503])
    func `a refusal says that nothing was processed, unless a redirect came before`(_ status: Int) {
        #expect(AttemptResult.isUnprocessed(status))
        #expect(AttemptResult.isUnprocessed(status, after: [307, 308]))
        #expect(!AttemptResult.isUnprocessed(status, after: [303]))
    }

    @Test(arguments: [200, 301, 302, 303, 500, 502, 504])
    func `another status does not say so`(_ status: Int) { #expect(!AttemptResult.isUnprocessed(status)) }

    private static func head(_ status: HTTPResponse.Status) -> ClientError.Context {
        ClientError.Context(phase: .head, response: HTTPResponse(status: status))
    }

    @Test func `an error says that nothing was processed if nothing was sent, or the server refused`() {
        let unsent = ClientError.Context(phase: .prepare, delivery: .notSent)
        let errors: [ClientError] = [
            .fileFailed(.inUse, unsent), .uploadFailed(.fileNotFound, unsent), .connectionFailed(.refused, unsent),
            .connectionLost(.closed, .init(phase: .head, delivery: .refused)),
            .invalidRequest(.malformedURL, Self.context), .uploadFailed(.uploadLost, Self.context),
            .uploadFailed(.tooLarge(limit: 1), Self.context), .uploadFailed(.tooSmall(limit: 1), Self.context),
            .validationFailed(ValidationFailure(.status(503)), Self.context),
            .authenticationFailed(.cancelled, Self.head(.unauthorized)),
            .redirectFailed(.loop, Self.head(.temporaryRedirect)),
        ]
        for error in errors {
            #expect(error.showsNoProcessing, "\(error)")
            // A redirect to `GET` has answered the upload itself.
            var redirected = error
            redirected.context.followsAnsweredRequest = true
            #expect(!redirected.showsNoProcessing, "\(error)")
        }
    }

    @Test func `after another error, the server may have processed the upload`() {
        let errors: [ClientError] = [
            .cancelled(Self.context), .connectionLost(.closed, Self.context), .fileFailed(.diskFull, Self.context),
            .uploadFailed(.completionUnknown, Self.context), .uploadFailed(.notResumable, Self.context),
            .protocolViolation(section: "", reason: "", Self.context),
            .validationFailed(ValidationFailure(.status(500)), Self.context),
            .validationFailed(ValidationFailure(.contentType("text/html")), Self.head(.ok)),
            .authenticationFailed(.serverNotAuthentic, Self.head(.ok)),
            .redirectFailed(.loop, Self.head(.seeOther)),
        ]
        for error in errors { #expect(!error.showsNoProcessing, "\(error)") }
    }

    @Test func `an upload that may have been processed fails with that reason, whatever the cause`() {
        let error = ClientError.redirectFailed(.loop, Self.head(.seeOther))
        let result = AttemptResult.possiblyProcessed(AttemptResult(error, now: Self.now))
        #expect(result.end == Self.refused)
        #expect(result.failure?.reason == .possiblyProcessed)
        #expect(result.failure?.message.hasSuffix(": \(error)") == true)
        #expect(result.failure?.error != nil)
        #expect(AttemptResult.possiblyProcessed(.interrupted).end == Self.permanent)
    }

    @Test func `the server's wait is read from the response, by its own date`() {
        var fields: HTTPFields = [.retryAfter: "120"]
        #expect(
            AttemptResult(status: 503, fields, now: Self.now, nil).end
                == .passing(retryAfter: .seconds(120), isAnswered: true)
        )
        fields = [.retryAfter: "Thu, 26 Nov 2026 02:00:30 GMT", .date: "Thu, 26 Nov 2026 02:00:00 GMT"]
        #expect(
            AttemptResult(status: 429, fields, now: Self.now, nil).end
                == .passing(retryAfter: .seconds(30), isAnswered: true)
        )
    }
}
