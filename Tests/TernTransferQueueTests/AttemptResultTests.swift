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
