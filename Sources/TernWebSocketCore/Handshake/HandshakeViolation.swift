// SPDX-License-Identifier: Apache-2.0

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// A rule of the opening handshake that a server's answer broke (RFC 6455 §4.1, RFC 7692 §7.1).
///
/// Every case is one rule, with the `section` that states it. The answer to each is to close the
/// connection; no Close frame is sent, for there is no WebSocket yet. ``notSwitched(status:)`` alone is an HTTP response
/// like any other and may be read as one.
///
/// Names that a server made up are not held, so a violation is safe to log.
@nonexhaustive
public enum HandshakeViolation: Error, Hashable, Sendable {
    // MARK: The switch

    /// The status is not 101.
    case notSwitched(status: Int)
    /// There is no `Upgrade`.
    case missingUpgrade
    /// `Upgrade` is not just `websocket`.
    case wrongUpgrade
    /// There is no `Connection`.
    case missingConnection
    /// `Connection` has no token `Upgrade`.
    case wrongConnection
    /// There is no `Sec-WebSocket-Accept`.
    case missingAccept
    /// `Sec-WebSocket-Accept` comes more than once.
    case repeatedAccept
    /// `Sec-WebSocket-Accept` was not made from the key of this handshake.
    case wrongAccept

    // MARK: The subprotocol

    /// The server chose a subprotocol that was not offered.
    case unknownSubprotocol
    /// `Sec-WebSocket-Protocol` comes more than once.
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
    /// A parameter of an extension comes more than once.
    case repeatedParameter(String)
    /// A parameter of an extension has a value that it may not have, or was not to be there at all.
    case badParameter(String)
    /// The server accepted an extension, but not a parameter that the offer demanded.
    case ignoredParameter(String)
}

extension HandshakeViolation {
    /// The document and section that state the rule, such as `"RFC 6455 §4.1"`.
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

    /// What was wrong, in one sentence; its wording may change.
    package var reason: String {
        switch self {
        case .notSwitched(let status): "The server answered \(status) instead of 101."
        case .missingUpgrade: "The answer has no Upgrade."
        case .wrongUpgrade: "The answer upgrades to something else than websocket."
        case .missingConnection: "The answer has no Connection."
        case .wrongConnection: "The Connection of the answer lacks the token Upgrade."
        case .missingAccept: "The answer has no Sec-WebSocket-Accept."
        case .repeatedAccept: "Sec-WebSocket-Accept comes more than once."
        case .wrongAccept: "Sec-WebSocket-Accept does not match the key."
        case .unknownSubprotocol: "The server chose a subprotocol that was not offered."
        case .repeatedSubprotocol: "Sec-WebSocket-Protocol comes more than once."
        case .malformedExtensions: "Sec-WebSocket-Extensions is malformed."
        case .unknownExtension: "The server chose an extension that was not offered."
        case .repeatedExtension: "The server chose an extension more than once."
        case .unknownParameter: "An extension has a parameter that is not defined."
        case .repeatedParameter(let name): "The parameter \(name) comes more than once."
        case .badParameter(let name): "The parameter \(name) has an invalid value or was not offered."
        case .ignoredParameter(let name): "The answer lacks the parameter \(name) of the offer."
        }
    }
}

extension HandshakeViolation: CustomStringConvertible {
    /// The reason, then the section.
    public var description: String { "\(self.reason) (\(self.section))" }
}

extension HandshakeViolation: LocalizedError {
    /// One English sentence that an app may show; its wording is not stable.
    public var errorDescription: String? { self.reason }
}
