// SPDX-License-Identifier: Apache-2.0

/// The reason that the client could not open a stream, and wrote nothing; no case contains a value of the request.
package enum HTTP2RequestError: Error, Hashable, Sendable {
    // MARK: The request

    /// The method is not a token, or is not CONNECT although the request names a protocol.
    case invalidMethod
    case invalidScheme
    /// The path does not begin with a slash and is not `*`, or has a fragment or a character that is not allowed.
    case invalidPath
    /// The authority has user information, or is missing in a plain CONNECT, or it or `Host` has a character that is not allowed.
    case invalidAuthority
    case repeatedHost
    case framingField
    case invalidFieldName
    case negativeBodyLength
    /// The field list may be longer than the server accepts, in bytes as RFC 9113 §6.5.2 counts them.
    case fieldListTooLong(limit: Int)
    /// The server has not offered extended CONNECT (RFC 8441 §3).
    case extendedConnectUnavailable

    // MARK: The connection

    case tooManyStreams
    /// One side has sent GOAWAY, the connection has failed or ended, or no stream identifier is left.
    case goingAway

    package var reason: String {
        switch self {
        case .invalidMethod:
            "The method is empty or has a forbidden character, or :protocol is set although the method is not CONNECT."
        case .invalidScheme: "The scheme is empty or contains an invalid character."
        case .invalidPath: "The path does not begin with a slash or is not percent-encoded."
        case .invalidAuthority: "The host is missing or contains an invalid character."
        case .repeatedHost: "The request has more than one Host field."
        case .framingField:
            "The request has a Content-Length or Transfer-Encoding field, which only the client may set."
        case .invalidFieldName: "The name of a request field is empty or contains a character that is not allowed."
        case .negativeBodyLength: "The length of the body is negative."
        case .fieldListTooLong(let limit):
            "The request's fields take more than the \(limit) bytes that the server accepts."
        case .extendedConnectUnavailable: "The server does not offer extended CONNECT."
        case .tooManyStreams: "The connection has as many streams as the server allows."
        case .goingAway: "The connection accepts no further requests."
        }
    }

    package var section: String {
        switch self {
        case .invalidMethod, .invalidScheme, .invalidPath, .invalidAuthority, .repeatedHost: "RFC 9113 §8.3.1"
        case .framingField: "RFC 9113 §8.2.2"
        case .invalidFieldName: "RFC 9110 §5.1"
        case .negativeBodyLength: "RFC 9110 §8.6"
        case .fieldListTooLong: "RFC 9113 §10.5.1"
        case .extendedConnectUnavailable: "RFC 8441 §3"
        case .tooManyStreams: "RFC 9113 §5.1.2"
        case .goingAway: "RFC 9113 §6.8"
        }
    }
}

extension HTTP2RequestError: CustomStringConvertible {
    package var description: String { "\(self.reason) (\(self.section))" }
}
