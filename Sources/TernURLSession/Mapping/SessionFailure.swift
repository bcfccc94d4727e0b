// SPDX-License-Identifier: Apache-2.0
import HTTPTypes
import TernErrors
import TernRequests
import TernTransport
import TernURLLoading

/// An error of `URLSession`, as a value.
struct SessionFailure: Error, Hashable, Sendable {
    let code: URLError.Code
    /// The `errno` of the system, if `URLSession` reports it.
    let errno: Int32?

    init(_ code: URLError.Code, errno: Int32? = nil) {
        self.code = code
        self.errno = errno
    }

    init(_ error: any Error) {
        guard let error = error as? URLError else {
            self.init(.unknown)
            return
        }
        self.init(error.code, errno: Self.errno(error.errorUserInfo))
    }

    /// Returns the `errno` in the details of an error; domain 1 of a `CFStreamError` is POSIX.
    private static func errno(_ details: [String: Any]) -> Int32? {
        guard let domain = details["_kCFStreamErrorDomainKey"] as? Int, domain == 1,
            let code = details["_kCFStreamErrorCodeKey"] as? Int
        else { return nil }
        return Int32(exactly: code)
    }
}

extension HTTPCall {
    /// Returns the error of the call; `hasSentBody` is `nil` without a body, because `URLSession` does not report when a head goes
    /// out.
    func error(
        _ failure: SessionFailure,
        after head: ReceivedHead?,
        hasSentBody: Bool?,
        received byteCount: Int64,
        _ capabilities: PlatformCapabilities
    ) -> ClientError {
        if head == nil, let error = self.connectError(failure, hasSentBody, capabilities) { return error }
        let context = self.context(head == nil ? .head : .body, response: head?.httpResponse)
        switch failure.code {
        case .cancelled: return .cancelled(context)
        case .timedOut:
            let limit = head == nil ? self.timeouts.firstByte : self.timeouts.idle
            let seconds = Duration.seconds(OutgoingURLRequest.timeoutInterval)
            return .timedOut(head == nil ? .firstByte : .idle, limit: limit ?? seconds, context)
        case .cannotDecodeRawData, .cannotDecodeContentData:
            return .protocolViolation(section: "RFC 9110 §8.4", reason: "The content cannot be decoded.", context)
        case .badServerResponse where capabilities.reportsEmptyResponsesAsBad && head == nil:
            return .connectionLost(.closed, context)
        // The URL is one of HTTP. libcurl has no support for the protocol of the response.
        case .badServerResponse, .cannotParseResponse, .unsupportedURL:
            return .protocolViolation(section: "RFC 9112 §4", reason: "The response is not valid HTTP.", context)
        case _ where head != nil:
            return .truncated(received: byteCount, expected: head?.bodyLength, context)
        case .networkConnectionLost:
            return .connectionLost(failure.errno == ECONNRESET ? .reset : .closed, context)
        case .unknown: return .connectionLost(.interrupted, context)
        default: return .interceptorFailed(URLSessionTransportError.sessionFailed(code: failure.code.rawValue), context)
        }
    }

    /// Returns the error for a failure to reach the server, which may follow the request, for example if `URLSession` sends it on
    /// another connection again; `nil` for any other failure.
    private func connectError(
        _ failure: SessionFailure,
        _ hasSentBody: Bool?,
        _ capabilities: PlatformCapabilities
    ) -> ClientError? {
        let isLate = hasSentBody == true
        var context = self.context(isLate ? .head : .connect)
        let mayBeLate = hasSentBody ?? failure.mayFollowHead(capabilities)
        context.delivery = mayBeLate ? .unknown : .notSent
        if let reason = failure.tlsReason {
            context.phase = .tls
            return .tlsFailed(reason, context)
        }
        if let reason = failure.connectReason {
            return isLate ? .connectionLost(reason, context) : .connectionFailed(reason, context)
        }
        switch failure.code {
        case .badURL:
            context.phase = .prepare
            return .invalidRequest(.malformedURL, context)
        case .userAuthenticationRequired:
            context.phase = .proxy
            return .proxyFailed(.authenticationRequired, context)
        default: return nil
        }
    }
}

extension SessionFailure {
    /// Returns whether a failure to reach the server may come after the head of a request.
    fileprivate func mayFollowHead(_ capabilities: PlatformCapabilities) -> Bool {
        switch self.code {
        // With TLS 1.3, the client may send the request before the server has judged the client's certificate (RFC 8446
        // §2).
        case .clientCertificateRejected, .clientCertificateRequired: true
        case .cannotConnectToHost: capabilities.remembersRefusals
        default: false
        }
    }

    /// The reason that there is no connection; `nil` for other failures.
    fileprivate var connectReason: ConnectionFailure? {
        switch self.code {
        case .cannotFindHost: .resolution(isTemporary: false)
        case .dnsLookupFailed: .resolution(isTemporary: true)
        case .notConnectedToInternet, .dataNotAllowed, .internationalRoamingOff, .callIsActive: .noNetwork
        case .cannotConnectToHost:
            switch self.errno {
            case nil, ECONNREFUSED: .refused
            case ECONNRESET: .reset
            case ENETUNREACH, ENETDOWN: .noNetwork
            case EHOSTUNREACH, EHOSTDOWN, EADDRNOTAVAIL: .unreachable
            case EMFILE, ENFILE: .tooManyOpenFiles
            case let errno?: .system(errno: errno)
            }
        default: nil
        }
    }

    /// The reason that TLS could not be established; `nil` for other failures.
    fileprivate var tlsReason: TLSFailure? {
        switch self.code {
        case .secureConnectionFailed: .handshake("secureConnectionFailed")
        case .serverCertificateHasBadDate: .certificateExpired()
        case .serverCertificateNotYetValid: .certificateNotYetValid()
        case .serverCertificateUntrusted: .invalidCertificate("the system does not trust it")
        case .serverCertificateHasUnknownRoot: .unknownRoot(issuer: "")
        case .clientCertificateRejected: .clientCertificateRefused
        case .clientCertificateRequired: .clientCertificateRequired
        case .appTransportSecurityRequiresSecureConnection:
            .configuration("App Transport Security of this app requires https")
        default: nil
        }
    }
}

extension ReceivedHead {
    var httpResponse: HTTPResponse { HTTPResponse(status: .init(code: self.statusCode), headerFields: self.fields) }
}
