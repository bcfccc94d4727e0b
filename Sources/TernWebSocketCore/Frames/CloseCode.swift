// SPDX-License-Identifier: Apache-2.0

/// The code that says why a WebSocket is closed (RFC 6455 §7.4).
///
/// It can be any 16-bit number, because a peer can send any. The code of a ``CloseFrame`` is 1000–1003, 1007–1014 or 3000–4999,
/// of which 4000–4999 are for private use (§7.4.2).
public struct CloseCode: RawRepresentable, Hashable, Sendable {
    /// The number.
    public var rawValue: UInt16

    /// Creates a code from its number, which need not be a valid code.
    public init(rawValue: UInt16) { self.rawValue = rawValue }

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
    /// 1001: an endpoint goes away, such as a server that shuts down.
    public static let goingAway = CloseCode(rawValue: 1001)
    /// 1002: a rule of the protocol was broken.
    public static let protocolError = CloseCode(rawValue: 1002)
    /// 1003: an endpoint received a kind of data that it does not accept, such as binary instead of text.
    public static let unsupportedData = CloseCode(rawValue: 1003)
    /// 1005: the Close frame had no code; never sent.
    public static let noStatusReceived = CloseCode(rawValue: 1005)
    /// 1006: the connection ended without a Close frame; never sent.
    public static let abnormalClosure = CloseCode(rawValue: 1006)
    /// 1007: the data of a message does not match its kind, such as text that is not UTF-8.
    public static let invalidPayloadData = CloseCode(rawValue: 1007)
    /// 1008: a message violates a policy of its receiver.
    public static let policyViolation = CloseCode(rawValue: 1008)
    /// 1009: a message is too big for its receiver.
    public static let messageTooBig = CloseCode(rawValue: 1009)
    /// 1010: the server did not negotiate an extension that the client needs.
    public static let mandatoryExtension = CloseCode(rawValue: 1010)
    /// 1011: an unexpected condition prevents an endpoint from continuing.
    public static let internalError = CloseCode(rawValue: 1011)
    /// 1012: the service restarts, and the client may connect again.
    public static let serviceRestart = CloseCode(rawValue: 1012)
    /// 1013: the service is overloaded; try again later.
    public static let tryAgainLater = CloseCode(rawValue: 1013)
    /// 1014: a gateway received an invalid response from the server behind it.
    public static let badGateway = CloseCode(rawValue: 1014)
    /// 1015: the TLS handshake failed; never sent.
    public static let tlsHandshakeFailure = CloseCode(rawValue: 1015)
    /// 3000: the client is not authorized, as with the HTTP status 401.
    public static let unauthorized = CloseCode(rawValue: 3000)
    /// 3003: the client is authorized, but lacks a permission, as with the HTTP status 403.
    public static let forbidden = CloseCode(rawValue: 3003)
    /// 3008: an endpoint took too long to respond, as with the HTTP status 408.
    public static let timeout = CloseCode(rawValue: 3008)
}

extension CloseCode: CustomStringConvertible {
    /// The number.
    public var description: String { String(self.rawValue) }
}
