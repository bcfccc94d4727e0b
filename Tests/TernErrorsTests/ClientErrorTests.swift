// SPDX-License-Identifier: Apache-2.0
import HTTPTypes
import TernErrors
import TernFoundation
import Testing

@Suite("ClientError")
struct ClientErrorTests {
    private static let secret = "s3cr3t"

    private static let context: ClientError.Context = {
        var response = HTTPResponse(status: .serviceUnavailable)
        response.headerFields[.setCookie] = Self.secret
        return ClientError.Context(
            phase: .body,
            origin: "https://example.com:443",
            attempt: 2,
            elapsed: .seconds(3),
            response: response
        )
    }()

    /// The context of an error that an interceptor or a token provider received from its own call.
    private static let ofAnotherCall = ClientError.Context(phase: .connect, origin: "https://sign.in:443")

    /// The values of the properties with which a caller examines an error.
    struct Answers: Equatable, Sendable {
        var isCancellation = false
        var isTimeout = false
        var isOffline = false
        var isConnectivity = false
        var isRetryable = false
    }

    private static let offline = Answers(isOffline: true, isConnectivity: true, isRetryable: true)
    private static let network = Answers(isConnectivity: true, isRetryable: true)

    static let cases: [(error: ClientError, answers: Answers)] = [
        (.cancelled(Self.context), Answers(isCancellation: true)),
        (.invalidRequest(.missingHost, Self.context), Answers()),
        (.notCached(Self.context), Answers()),
        (
            .timedOut(.connect, limit: .seconds(1), Self.context),
            Answers(isTimeout: true, isConnectivity: true, isRetryable: true)
        ),
        (
            .timedOut(.firstByte, limit: .seconds(1), Self.context),
            Answers(isTimeout: true, isConnectivity: true, isRetryable: true)
        ),
        (
            .timedOut(.idle, limit: .seconds(1), Self.context),
            Answers(isTimeout: true, isConnectivity: true, isRetryable: true)
        ),
        (.timedOut(.connection, limit: .seconds(1), Self.context), Answers(isTimeout: true, isRetryable: true)),
        (.timedOut(.call, limit: .seconds(1), Self.context), Answers(isTimeout: true)),
        (.connectionFailed(.refused, Self.context), Self.network),
        (.connectionFailed(.reset, Self.context), Self.network),
        (.connectionFailed(.unreachable, Self.context), Self.network),
        (.connectionFailed(.interrupted, Self.context), Self.network),
        (.connectionFailed(.resolution(isTemporary: true), Self.context), Self.offline),
        (.connectionFailed(.noNetwork, Self.context), Self.offline),
        (.connectionFailed(.resolution(isTemporary: false), Self.context), Answers(isConnectivity: true)),
        (.connectionFailed(.socketNotFound, Self.context), Answers(isConnectivity: true)),
        (.connectionFailed(.tooManyOpenFiles, Self.context), Self.network),
        (.connectionFailed(.system(errno: 13), Self.context), Answers(isConnectivity: true)),
        (.tlsFailed(.rejected, Self.context), Answers()),
        (.tlsFailed(.wrongHost(), Self.context), Answers()),
        (.tlsFailed(.handshake("no cipher"), Self.context), Answers()),
        (.tlsFailed(.plainHTTP, Self.context), Answers()),
        (.tlsFailed(.closed, Self.context), Answers(isRetryable: true)),
        (.tlsFailed(.configuration("no root"), Self.context), Answers()),
        (.connectionLost(.closed, Self.context), Self.network),
        (.connectionLost(.reset, Self.context), Self.network),
        (.connectionLost(.system(errno: 5), Self.context), Self.network),
        (.truncated(received: 1, expected: 2, Self.context), Self.network),
        (.truncated(received: 1, expected: nil, Self.context), Self.network),
        (.protocolViolation(section: "RFC 9112 §4", reason: "why", Self.context), Answers()),
        (.bodyTooLarge(limit: 1, Self.context), Answers()),
        (.lineTooLong(limit: 1, Self.context), Answers()),
        (.valueTooLong(limit: 1, at: StreamPosition(index: 0, byteOffset: 0), Self.context), Answers()),
        (.uploadFailed(.fileNotFound, Self.context), Answers()),
        (.fileFailed(.diskFull, Self.context), Answers()),
        (.bodyMisused(.concurrentReads, Self.context), Answers()),
        (.proxyFailed(.refused(status: 502), Self.context), Answers(isRetryable: true)),
        (.proxyFailed(.refused(status: 403), Self.context), Answers()),
        (.authenticationFailed(.cancelled, Self.context), Answers()),
        (.redirectFailed(.loop, Self.context), Answers()),
        (.webSocketRefused(WebSocketFailure(.status(403), body: Data(Self.secret.utf8)), Self.context), Answers()),
        (.webSocketRefused(WebSocketFailure(.status(503)), Self.context), Answers(isRetryable: true)),
        (.webSocketClosed(code: 1001, Self.context), Answers()),
        (.webSocketClosed(code: nil, Self.context), Answers()),
        (.messageTooLarge(limit: 1, Self.context), Answers()),
        (
            .timedOut(.pong, limit: .seconds(1), Self.context),
            Answers(isTimeout: true, isConnectivity: true, isRetryable: true)
        ),
        (.validationFailed(Self.refused(.status(404)), Self.context), Answers()),
        (.validationFailed(Self.refused(.status(503)), Self.context), Answers(isRetryable: true)),
        (.validationFailed(Self.refused(.status(429)), Self.context), Answers(isRetryable: true)),
        (.validationFailed(Self.refused(.status(500)), Self.context), Answers(isRetryable: true)),
        (.validationFailed(Self.refused(.status(501)), Self.context), Answers()),
        (.validationFailed(Self.refused(.contentType("text/html")), Self.context), Answers()),
        (.decodingFailed(Self.undecoded, Self.context), Answers()),
        (.digestFailed(.mismatch(algorithm: "sha-256", field: "Content-Digest"), Self.context), Answers()),
        (.interceptorFailed(Refusal(secret: Self.secret), Self.context), Answers()),
        (.interceptorFailed(ClientError.connectionFailed(.noNetwork, Self.ofAnotherCall), Self.context), Self.offline),
        (
            .interceptorFailed(ClientError.timedOut(.pong, limit: .seconds(1), Self.ofAnotherCall), Self.context),
            Answers(isTimeout: true, isConnectivity: true, isRetryable: true)
        ),
        (.interceptorFailed(ClientError.cancelled(Self.ofAnotherCall), Self.context), Answers()),
    ]

    private struct Refusal: Error { var secret: String }

    private static let undecoded = DecodingFailure(
        .keyNotFound,
        path: "users[3].name",
        type: "Page",
        body: Data(Self.secret.utf8)
    )

    private static func refused(_ rule: ValidationFailure.Rule) -> ValidationFailure {
        ValidationFailure(rule, body: Data(Self.secret.utf8))
    }

    /// The names of all cases.
    ///
    /// The code does not compile until a new case is added here. The tests fail until the case is also in the table.
    private enum Case: CaseIterable {
        case cancelled, invalidRequest, timedOut, connectionFailed, tlsFailed, proxyFailed, authenticationFailed
        case redirectFailed, connectionLost, truncated, protocolViolation, bodyTooLarge, lineTooLong, uploadFailed
        case fileFailed, bodyMisused, webSocketRefused, webSocketClosed, messageTooLarge, validationFailed
        case decodingFailed, interceptorFailed, notCached, digestFailed, valueTooLong

        init(_ error: ClientError) {
            switch error {
            case .cancelled: self = .cancelled
            case .invalidRequest: self = .invalidRequest
            case .timedOut: self = .timedOut
            case .connectionFailed: self = .connectionFailed
            case .tlsFailed: self = .tlsFailed
            case .proxyFailed: self = .proxyFailed
            case .authenticationFailed: self = .authenticationFailed
            case .redirectFailed: self = .redirectFailed
            case .connectionLost: self = .connectionLost
            case .truncated: self = .truncated
            case .protocolViolation: self = .protocolViolation
            case .bodyTooLarge: self = .bodyTooLarge
            case .lineTooLong: self = .lineTooLong
            case .valueTooLong: self = .valueTooLong
            case .uploadFailed: self = .uploadFailed
            case .fileFailed: self = .fileFailed
            case .bodyMisused: self = .bodyMisused
            case .webSocketRefused: self = .webSocketRefused
            case .webSocketClosed: self = .webSocketClosed
            case .messageTooLarge: self = .messageTooLarge
            case .validationFailed: self = .validationFailed
            case .decodingFailed: self = .decodingFailed
            case .interceptorFailed: self = .interceptorFailed
            case .notCached: self = .notCached
            case .digestFailed: self = .digestFailed
            }
        }
    }

    @Test func `every case is in the table`() {
        #expect(Set(Self.cases.map { Case($0.error) }) == Set(Case.allCases))
    }

    @Test(arguments: cases.indices)
    func `shows no content to dump`(index: Int) {
        let error = Self.cases[index].error
        #expect(!"\(error)".contains(Self.secret))
        #expect(!Self.dumped(error.context).contains(Self.secret))
        #expect(!Self.dumped(["error": error.context]).contains(Self.secret))
        // The error of an interceptor is the application's, and may show any text.
        if case .interceptorFailed = error { return }
        #expect(!Self.dumped(error).contains(Self.secret))
    }

    @Test func `a context shows to dump where it was and what the status is`() {
        let names = Mirror(reflecting: Self.context).children.map(\.label)
        #expect(names == ["phase", "origin", "attempt", "elapsed", "status"])
        let text = Self.dumped(Self.context)
        for part in ["body", "https://example.com:443", "2", "503"] { #expect(text.contains(part)) }
        #expect(Self.dumped(ClientError.Context(phase: .prepare)).contains("status: nil"))
    }

    private static func dumped(_ value: some Any) -> String {
        var text = ""
        dump(value, to: &text)
        return text
    }

    @Test(arguments: cases.indices)
    func `answers the questions of callers`(index: Int) {
        let (error, answers) = Self.cases[index]
        let given = Answers(
            isCancellation: error.isCancellation,
            isTimeout: error.isTimeout,
            isOffline: error.isOffline,
            isConnectivity: error.isConnectivity,
            isRetryable: error.isRetryable
        )
        #expect(given == answers, "\(error)")
    }

    @Test func `cancellation is known in either form`() {
        #expect(ClientError.isCancellation(ClientError.cancelled(Self.context)))
        #expect(ClientError.isCancellation(CancellationError()))
        #expect(!ClientError.isCancellation(ClientError.notCached(Self.context)))
        #expect(!ClientError.isCancellation(Refusal(secret: "")))
    }

    @Test func `a client that was shut down is no fault of the network and will not recover`() {
        let error = ClientError.connectionLost(.shutDown, Self.context)
        #expect(!error.isRetryable)
        #expect(!error.isConnectivity)
    }

    @Test(arguments: [Int64.max, .min])
    func `a time of any length can be described`(seconds: Int64) {
        let context = ClientError.Context(phase: .head, elapsed: .seconds(seconds))
        #expect("\(context)" == "phase head, after \(seconds > 0 ? "" : "-")9000000000000000000 ms")
    }

    @Test(arguments: cases.indices)
    func `has a context that can be read and replaced, and stays the same case`(index: Int) {
        var error = Self.cases[index].error
        let before = error.summary
        #expect(error.context.attempt == 2)
        #expect(error.status == .serviceUnavailable)
        error.context = ClientError.Context(phase: .send, origin: "http://other:80")
        #expect(error.context.phase == .send)
        #expect(error.context.origin == "http://other:80")
        #expect(error.context.attempt == 1)
        #expect(error.context.elapsed == .zero)
        #expect(error.status == nil)
        #expect(error.summary == before)
    }

    @Test(arguments: cases.indices)
    func `is described in one line: what, then where, and no field`(index: Int) {
        let text = "\(Self.cases[index].error)"
        #expect(!text.contains("\n"))
        #expect(text.contains("https://example.com:443"))
        #expect(text.contains("phase body"))
        #expect(text.contains("attempt 2"))
        #expect(text.split(separator: "503").count == 2, "\(text)")
        #expect(!text.contains(Self.secret))
    }

    @Test func `descriptions of different cases differ`() {
        #expect(Set(Self.cases.map { "\($0.error)" }).count == Self.cases.count)
    }

    @Test func `a context says no more than it knows`() {
        let text = "\(ClientError.Context(phase: .prepare))"
        #expect(text.contains("phase prepare"))
        #expect(!text.contains("attempt"))
        #expect(!text.contains("status"))
        #expect(!text.hasPrefix(","))
    }
}
