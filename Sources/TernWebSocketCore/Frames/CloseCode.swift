// SPDX-License-Identifier: Apache-2.0

/// The code that says why a WebSocket is closed (RFC 6455 §7.4).
///
/// It can hold any number, because peers may send any; `isValidOnWire` says whether a Close frame may contain it.
public struct CloseCode: RawRepresentable, Hashable, Sendable {
    /// The number on the wire.
    public var rawValue: UInt16

    /// Creates a code from its number, whether it is valid or not.
    public init(rawValue: UInt16) { self.rawValue = rawValue }

    /// Whether a Close frame may contain this code (RFC 6455 §7.4.1 and §7.4.2).
    ///
    /// These codes are valid: 1000–1003 and 1007–1014, which are registered for the wire; 3000–3999, which libraries
    /// register; and 4000–4999, which applications choose.
    package var isValidOnWire: Bool {
        switch self.rawValue {
        case 1000...1003, 1007...1014, 3000...4999: true
        default: false
        }
    }
}

// MARK: The registered codes

extension CloseCode {
    /// 1000: the purpose of the connection has been fulfilled.
    public static let normalClosure = CloseCode(rawValue: 1000)
    /// 1001: a server shuts down, or a user has left a page.
    public static let goingAway = CloseCode(rawValue: 1001)
    /// 1002: the peer broke a rule of the protocol.
    public static let protocolError = CloseCode(rawValue: 1002)
    /// 1003: the peer sent a kind of data that is not accepted, such as binary instead of text.
    public static let unsupportedData = CloseCode(rawValue: 1003)
    /// 1005: the Close frame had no code; never on the wire.
    public static let noStatusReceived = CloseCode(rawValue: 1005)
    /// 1006: the connection ended without a Close frame; never on the wire.
    public static let abnormalClosure = CloseCode(rawValue: 1006)
    /// 1007: data did not match its kind, such as text that is not UTF-8.
    public static let invalidPayloadData = CloseCode(rawValue: 1007)
    /// 1008: a message violates a policy; used when no other code fits.
    public static let policyViolation = CloseCode(rawValue: 1008)
    /// 1009: a message is too big to be processed.
    public static let messageTooBig = CloseCode(rawValue: 1009)
    /// 1010: the server did not negotiate an extension that the client needs.
    public static let mandatoryExtension = CloseCode(rawValue: 1010)
    /// 1011: an unexpected condition prevents an endpoint from continuing.
    public static let internalError = CloseCode(rawValue: 1011)
    /// 1012: the service restarts.
    public static let serviceRestart = CloseCode(rawValue: 1012)
    /// 1013: the service is overloaded; try again later.
    public static let tryAgainLater = CloseCode(rawValue: 1013)
    /// 1014: a gateway received an invalid response from the server behind it.
    public static let badGateway = CloseCode(rawValue: 1014)
    /// 1015: the TLS handshake failed; never on the wire.
    public static let tlsHandshakeFailure = CloseCode(rawValue: 1015)
    /// 3000: the client is not authenticated.
    public static let unauthorized = CloseCode(rawValue: 3000)
    /// 3003: the client is authenticated, but not allowed to do this.
    public static let forbidden = CloseCode(rawValue: 3003)
    /// 3008: the endpoint took too long.
    public static let timeout = CloseCode(rawValue: 3008)
}

extension CloseCode: CustomStringConvertible {
    /// The number.
    public var description: String { String(self.rawValue) }
}
