// SPDX-License-Identifier: Apache-2.0
public import TernErrors

/// An error that a test can compare: it contains no context, no texts of libraries and no content of certificates.
public enum Fault: Hashable, Sendable {
    case cancelled
    case invalidRequest(RequestFailure)
    case timedOut(Timeout)
    case connectionFailed(ConnectionFailure)
    case tlsFailed(TLSFailure)
    case tlsHandshakeFailed
    case tlsMisconfigured
    case connectionLost(ConnectionFailure)
    case truncated(received: Int64, expected: Int64?)
    case protocolViolation(String)
    case bodyTooLarge
    case lineTooLong
    case valueTooLong(StreamPosition)
    case uploadFailed(UploadFailure)
    case fileFailed(FileFailure)
    case bodyMisused(BodyFailure)
    case webSocketRefused(WebSocketFailure.Reason)
    case webSocketClosed(code: UInt16?)
    case messageTooLarge
    case proxyFailed(ProxyFailure)
    case proxyViolation(String)
    case authenticationFailed(AuthenticationFailure)
    case redirectFailed(RedirectFailure)
    case notCached
    case validationFailed(ValidationFailure.Rule)
    case decodingFailed(DecodingFailure.Reason)
    case digestFailed(DigestFailure)
    case interceptorFailed
    case unknown
}

extension ClientError {
    /// The error in a form that a test can compare.
    public var fault: Fault {
        switch self {
        case .cancelled: .cancelled
        case .invalidRequest(let reason, _): .invalidRequest(reason)
        case .timedOut(let timeout, _, _): .timedOut(timeout)
        case .connectionFailed(let reason, _): .connectionFailed(reason)
        case .tlsFailed(.handshake, _): .tlsHandshakeFailed
        case .tlsFailed(.configuration, _): .tlsMisconfigured
        case .tlsFailed(let reason, _): .tlsFailed(reason.withoutDetails)
        case .connectionLost(let reason, _): .connectionLost(reason)
        case .truncated(let received, let expected, _): .truncated(received: received, expected: expected)
        case .protocolViolation(let section, _, _): .protocolViolation(section)
        case .bodyTooLarge: .bodyTooLarge
        case .lineTooLong: .lineTooLong
        case .valueTooLong(_, let position, _): .valueTooLong(position)
        case .uploadFailed(let reason, _): .uploadFailed(reason)
        case .fileFailed(let reason, _): .fileFailed(reason)
        case .bodyMisused(let reason, _): .bodyMisused(reason)
        case .webSocketRefused(let refusal, _): .webSocketRefused(refusal.reason)
        case .webSocketClosed(let code, _): .webSocketClosed(code: code)
        case .messageTooLarge: .messageTooLarge
        case .proxyFailed(.violation(let section, _), _): .proxyViolation(section)
        case .proxyFailed(let reason, _): .proxyFailed(reason)
        case .authenticationFailed(let reason, _): .authenticationFailed(reason)
        case .redirectFailed(let reason, _): .redirectFailed(reason)
        case .notCached: .notCached
        case .validationFailed(let failure, _): .validationFailed(failure.rule)
        case .decodingFailed(let failure, _): .decodingFailed(failure.reason)
        case .digestFailed(let reason, _): .digestFailed(reason)
        case .interceptorFailed: .interceptorFailed
        @unknown default: .unknown
        }
    }
}

extension TLSFailure {
    /// The failure without the dates and the names of a certificate.
    public var withoutDetails: TLSFailure {
        switch self {
        case .certificateExpired: .certificateExpired()
        case .certificateNotYetValid: .certificateNotYetValid()
        case .wrongHost: .wrongHost()
        default: self
        }
    }
}

/// Returns the error of a call that fails; `nil` if the call succeeds.
public func failure(of call: () async throws(ClientError) -> some Any) async -> ClientError? {
    do throws(ClientError) {
        _ = try await call()
        return nil
    } catch {
        return error
    }
}

/// Returns the fault of a call that fails; `nil` if the call succeeds.
public func fault(of call: () async throws(ClientError) -> some Any) async -> Fault? { await failure(of: call)?.fault }

/// The fault of a call, and the phase in which it occurred, for tests that compare both.
public struct Ending: Hashable, Sendable {
    /// The error in a form that a test can compare.
    public var fault: Fault
    /// The phase in which the fault occurred.
    public var phase: ClientError.Phase
    /// The time limit that was exceeded; `nil` for any other fault.
    public var limit: Duration?

    /// Creates an ending for a fault other than a timeout.
    public init(_ fault: Fault, in phase: ClientError.Phase) { (self.fault, self.phase) = (fault, phase) }

    /// Creates an ending for a timeout.
    public static func timedOut(_ timeout: Timeout, after limit: Duration, in phase: ClientError.Phase) -> Self {
        var ending = Self(.timedOut(timeout), in: phase)
        ending.limit = limit
        return ending
    }
}

extension ClientError {
    /// The fault and the phase of the error.
    public var ending: Ending {
        var ending = Ending(self.fault, in: self.context.phase)
        if case .timedOut(_, let limit, _) = self { ending.limit = limit }
        return ending
    }
}
