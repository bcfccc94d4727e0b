// SPDX-License-Identifier: Apache-2.0
import ClientTestSupport
import HTTPTypes
import TernErrors
import TernRequests
import TernTransport
import TernURLLoading
import Testing

@testable import TernURLSession

@Suite("Errors of URLSession")
struct SessionFailureTests {
    private static let unlike = PlatformCapabilities(
        pausesTransfers: true,
        rewindsBodies: true,
        streamsBodies: true,
        decodesEveryCoding: false,
        deliversUnansweredChallenges: true,
        reportsEmptyResponsesAsBad: false,
        remembersRefusals: false,
        readsEnvironment: false
    )

    private static var head: ReceivedHead {
        let fields = [(name: "Content-Length", value: "9")]
        return ReceivedHead(statusCode: 200, received: fields, method: .get, isEveryCodingDecoded: false)
    }

    private static let like = PlatformCapabilities(
        pausesTransfers: false,
        rewindsBodies: false,
        streamsBodies: false,
        decodesEveryCoding: true,
        deliversUnansweredChallenges: false,
        reportsEmptyResponsesAsBad: true,
        remembersRefusals: true,
        readsEnvironment: true
    )

    private func error(
        _ failure: SessionFailure,
        after head: ReceivedHead? = nil,
        hasSentBody: Bool? = nil,
        _ capabilities: PlatformCapabilities = SessionFailureTests.unlike
    ) throws -> ClientError {
        let call = try HTTPCall(Request(.post, "https://h/"))
        return call.error(failure, after: head, hasSentBody: hasSentBody, received: 4, capabilities)
    }

    @Test(arguments: [
        (URLError.Code.cannotFindHost, Fault.connectionFailed(.resolution(isTemporary: false))),
        (.dnsLookupFailed, .connectionFailed(.resolution(isTemporary: true))),
        (.cannotConnectToHost, .connectionFailed(.refused)), (.notConnectedToInternet, .connectionFailed(.noNetwork)),
        (.dataNotAllowed, .connectionFailed(.noNetwork)), (.badURL, .invalidRequest(.malformedURL)),
        (.userAuthenticationRequired, .proxyFailed(.authenticationRequired)),
        (.secureConnectionFailed, .tlsHandshakeFailed),
        (.serverCertificateHasBadDate, .tlsFailed(.certificateExpired())),
        (.serverCertificateNotYetValid, .tlsFailed(.certificateNotYetValid())),
        (.serverCertificateHasUnknownRoot, .tlsFailed(.unknownRoot(issuer: ""))),
        (.clientCertificateRejected, .tlsFailed(.clientCertificateRefused)),
        (.clientCertificateRequired, .tlsFailed(.clientCertificateRequired)),
        (.appTransportSecurityRequiresSecureConnection, .tlsMisconfigured),
    ])
    func `a failure to connect has sent nothing`(_ code: URLError.Code, _ fault: Fault) throws {
        let error = try self.error(SessionFailure(code), hasSentBody: false)
        #expect(error.fault == fault)
        #expect(error.context.delivery == .notSent)
    }

    @Test(arguments: [
        (URLError.Code.cannotFindHost, Fault.connectionLost(.resolution(isTemporary: false))),
        (.cannotConnectToHost, .connectionLost(.refused)), (.notConnectedToInternet, .connectionLost(.noNetwork)),
        (.userAuthenticationRequired, .proxyFailed(.authenticationRequired)),
        (.secureConnectionFailed, .tlsHandshakeFailed),
        (.clientCertificateRejected, .tlsFailed(.clientCertificateRefused)),
    ])
    func `after a part of the body, the server may have acted on the request`(
        _ code: URLError.Code,
        _ fault: Fault
    ) throws {
        let error = try self.error(SessionFailure(code), hasSentBody: true)
        #expect(error.fault == fault)
        #expect(error.context.delivery == .unknown)
    }

    @Test(arguments: [
        (URLError.Code.cannotFindHost, SessionFailureTests.like, ClientError.Delivery.notSent),
        (.cannotConnectToHost, SessionFailureTests.like, .unknown),
        (.cannotConnectToHost, SessionFailureTests.unlike, .notSent),
        (.secureConnectionFailed, SessionFailureTests.unlike, .notSent),
        (.clientCertificateRejected, SessionFailureTests.unlike, .unknown),
        (.clientCertificateRequired, SessionFailureTests.unlike, .unknown),
    ])
    func `without a body, some failures may come after the request`(
        _ code: URLError.Code,
        _ capabilities: PlatformCapabilities,
        _ delivery: ClientError.Delivery
    ) throws {
        #expect(try self.error(SessionFailure(code), capabilities).context.delivery == delivery)
    }

    @Test(arguments: [
        (ECONNREFUSED, ConnectionFailure.refused), (EHOSTUNREACH, .unreachable), (ENETUNREACH, .noNetwork),
        (EMFILE, .tooManyOpenFiles), (EPERM, .system(errno: EPERM)),
    ])
    func `the system says why a connection was not made`(_ errno: Int32, _ reason: ConnectionFailure) throws {
        let failure = SessionFailure(.cannotConnectToHost, errno: errno)
        #expect(try self.error(failure).fault == .connectionFailed(reason))
    }

    @Test(arguments: [
        (URLError.Code.networkConnectionLost, Fault.connectionLost(.closed)), (.timedOut, .timedOut(.firstByte)),
        (.cannotParseResponse, .protocolViolation("RFC 9112 §4")), (.unknown, .connectionLost(.interrupted)),
        (.badServerResponse, .protocolViolation("RFC 9112 §4")), (.cancelled, .cancelled),
        (.unsupportedURL, .protocolViolation("RFC 9112 §4")),
        (.cannotDecodeContentData, .protocolViolation("RFC 9110 §8.4")), (.fileDoesNotExist, .interceptorFailed),
    ])
    func `before the head`(_ code: URLError.Code, _ fault: Fault) throws {
        let error = try self.error(SessionFailure(code))
        #expect(error.fault == fault)
        #expect(error.context.phase == .head)
        #expect(error.context.delivery == .unknown)
    }

    @Test(arguments: [
        URLError.Code.networkConnectionLost, .unknown, .fileDoesNotExist, .cannotConnectToHost,
        .notConnectedToInternet, .secureConnectionFailed, .clientCertificateRequired,
    ])
    func `after the head, the body is truncated`(_ code: URLError.Code) throws {
        let error = try self.error(SessionFailure(code), after: Self.head)
        #expect(error.fault == .truncated(received: 4, expected: 9))
        #expect(error.context.response?.status == .ok)
        #expect(error.context.delivery == .unknown)
    }

    @Test func `a silent server within the body`() throws {
        #expect(try self.error(SessionFailure(.timedOut), after: Self.head).fault == .timedOut(.idle))
    }

    @Test func `an empty response is a lost connection where URLSession calls it bad`() throws {
        #expect(try self.error(SessionFailure(.badServerResponse), Self.like).fault == .connectionLost(.closed))
    }

    @Test func `an error of Foundation becomes a failure`() {
        struct Other: Error {}
        #expect(SessionFailure(URLError(.timedOut)) == SessionFailure(.timedOut))
        #expect(SessionFailure(Other()) == SessionFailure(.unknown))
        let details: [String: Any] = ["_kCFStreamErrorDomainKey": 1, "_kCFStreamErrorCodeKey": Int(ECONNREFUSED)]
        let refused = URLError(.cannotConnectToHost, userInfo: details)
        #expect(SessionFailure(refused) == SessionFailure(.cannotConnectToHost, errno: ECONNREFUSED))
    }

    @Test func `the transport's own errors have sentences`() {
        let errors: [URLSessionTransportError] = [
            .unsupported(.upgrade), .unsupported(.requestTrailers), .unsupported(.unixSocket),
            .unsupported(.requestProxy), .unsupported(.httpVersion), .unsupported(.body(method: "GET")),
            .tooManyUnreadBytes(limit: 5), .requestBodyTooLong(limit: 5), .bodyDropped, .sessionFailed(code: -1),
        ]
        #expect(Set(errors.map(\.description)).count == errors.count)
        #expect(errors.allSatisfy { $0.localizedDescription.hasSuffix(".") })
    }
}
