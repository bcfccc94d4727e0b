// SPDX-License-Identifier: Apache-2.0
public import TernFoundation

/// The reason why a server's response does not open a WebSocket (RFC 6455 §4.1, RFC 7692 §7.1).
///
/// After ``notSwitched(status:)``, the response is an ordinary one; after other violations, the client ends the connection, or
/// stream, without a Close frame. No case contains text that a server chose, so a violation is safe to log.
@nonexhaustive
public enum HandshakeViolation: Error, Hashable, Sendable {
    // MARK: The switch

    /// The status is not 101 or, over HTTP/2, not 2xx.
    case notSwitched(status: Int)
    /// `Upgrade` is missing.
    case missingUpgrade
    /// `Upgrade` is not `websocket`, in any letter case, or occurs more than once.
    case wrongUpgrade
    /// `Connection` is missing.
    case missingConnection
    /// `Connection` does not contain the token `Upgrade`.
    case wrongConnection
    /// `Sec-WebSocket-Accept` is missing.
    case missingAccept
    /// `Sec-WebSocket-Accept` occurs more than once.
    case repeatedAccept
    /// `Sec-WebSocket-Accept` does not match the key of this handshake.
    case wrongAccept

    // MARK: The subprotocol

    /// The server chose a subprotocol that was not offered.
    case unknownSubprotocol
    /// `Sec-WebSocket-Protocol` occurs more than once.
    case repeatedSubprotocol

    // MARK: Extensions

    /// `Sec-WebSocket-Extensions` is not a list of extensions.
    case malformedExtensions
    /// The server chose an extension that was not offered.
    case unknownExtension
    /// The server chose an extension more than once.
    case repeatedExtension
    /// An extension has a parameter that is not defined for it.
    case unknownParameter
    /// A parameter of an extension occurs more than once.
    case repeatedParameter(String)
    /// A parameter of an extension has an invalid value, or must not be present.
    case badParameter(String)
    /// The server accepted an extension, but ignored a parameter that the offer requires.
    case ignoredParameter(String)
}

extension HandshakeViolation {
    package var section: String {
        switch self {
        case .notSwitched, .missingUpgrade, .wrongUpgrade, .missingConnection, .wrongConnection, .missingAccept,
            .wrongAccept, .unknownSubprotocol, .unknownExtension:
            "RFC 6455 §4.1"
        case .malformedExtensions: "RFC 6455 §9.1"
        case .repeatedAccept: "RFC 6455 §11.3.3"
        case .repeatedSubprotocol: "RFC 6455 §11.3.4"
        case .repeatedExtension: "RFC 7692 §5"
        case .unknownParameter, .repeatedParameter: "RFC 7692 §7.1"
        case .badParameter(let name), .ignoredParameter(let name):
            name.hasSuffix("bits") ? "RFC 7692 §7.1.2" : "RFC 7692 §7.1.1"
        }
    }

    package var reason: String {
        switch self {
        case .notSwitched(let status): "The server answered with the status \(status) and did not open the WebSocket."
        case .missingUpgrade: "The server's response has no Upgrade field."
        case .wrongUpgrade: "The server's response does not have exactly one Upgrade field with the value websocket."
        case .missingConnection: "The server's response has no Connection field."
        case .wrongConnection: "The Connection field of the server's response does not contain Upgrade."
        case .missingAccept: "The server's response has no Sec-WebSocket-Accept field."
        case .repeatedAccept: "The server's response has more than one Sec-WebSocket-Accept field."
        case .wrongAccept: "The Sec-WebSocket-Accept field of the server's response does not match the request."
        case .unknownSubprotocol: "The server chose a subprotocol that the client did not offer."
        case .repeatedSubprotocol: "The server's response has more than one Sec-WebSocket-Protocol field."
        case .malformedExtensions: "The Sec-WebSocket-Extensions field of the server's response is malformed."
        case .unknownExtension: "The server chose an extension that the client did not offer."
        case .repeatedExtension: "The server chose an extension more than once."
        case .unknownParameter: "The server chose an undefined parameter for an extension."
        case .repeatedParameter(let name): "The server repeated the extension parameter \(name)."
        case .badParameter(let name):
            "The server sent the extension parameter \(name), which has an invalid value or which the client did not offer."
        case .ignoredParameter(let name): "The server ignored the required extension parameter \(name)."
        }
    }
}

extension HandshakeViolation: CustomStringConvertible {
    /// The reason and the section.
    public var description: String { "\(self.reason) (\(self.section))" }
}

extension HandshakeViolation: LocalizedError {
    /// One English sentence that an app may show; its wording may change.
    public var errorDescription: String? { self.reason }
}
