// SPDX-License-Identifier: Apache-2.0

extension ClientError {
    /// Whether another connection would fail in the same way, as with a body that cannot be sent; a sequence that reconnects then
    /// ends.
    package var isFinalForReconnecting: Bool {
        switch self {
        case _ where self.isRetryable: false
        case .cancelled, .invalidRequest, .protocolViolation, .messageTooLarge, .valueTooLong, .uploadFailed,
            .connectionLost(.shutDown, _), .webSocketRefused, .redirectFailed, .validationFailed, .authenticationFailed:
            true
        case .proxyFailed(let failure, _): failure.isFinalForReconnecting
        case .tlsFailed(let failure, _): failure.isFinalForReconnecting
        // Includes `.interceptorFailed`: a token provider may depend on a server that could not be reached.
        default: false
        }
    }
}

extension ProxyFailure {
    fileprivate var isFinalForReconnecting: Bool {
        switch self {
        case .socks(.notAllowed), .socks(.commandNotSupported), .socks(.addressTypeNotSupported): true
        case .socks: false
        default: true
        }
    }
}

extension TLSFailure {
    fileprivate var isFinalForReconnecting: Bool {
        switch self {
        // A device on the way, such as a hotel's captive portal, may have answered in place of the server.
        case .handshake, .closed: false
        default: true
        }
    }
}
