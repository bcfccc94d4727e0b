// SPDX-License-Identifier: Apache-2.0

/// Why a stream could not be opened.
///
/// Nothing was written, so that the request may be sent elsewhere. No case holds a value of the request.
package enum HTTP2RequestError: Error, Hashable, Sendable {
    // MARK: The request

    /// The method is not a token, or an extended CONNECT has another one.
    case invalidMethod
    /// The scheme is empty or holds a character that no scheme may hold.
    case invalidScheme
    /// The path is empty, or holds a fragment, white space, a control character or a byte outside ASCII.
    case invalidPath
    /// The authority holds user information, white space, a control character or a byte outside ASCII.
    case invalidAuthority
    /// More than one `Host` field was given.
    case repeatedHost
    /// A `Content-Length` or `Transfer-Encoding` was given as a field.
    case framingField
    /// A field was given by a text that is not the name of one.
    case invalidFieldName
    /// A body length is negative.
    case negativeBodyLength
    /// The server takes shorter field lists only, in bytes by the count of RFC 9113 §6.5.2.
    case fieldListTooLong(limit: Int)
    /// The server does not offer extended CONNECT (RFC 8441 §3).
    case extendedConnectUnavailable

    // MARK: The connection

    /// The server's SETTINGS_MAX_CONCURRENT_STREAMS allows no further stream now.
    case tooManyStreams
    /// The connection takes no further streams: it is going away, has failed, or has no identifier left.
    case goingAway

    /// What is wrong, in one sentence; never holds a value, and its wording may change.
    package var reason: String {
        switch self {
        case .invalidMethod: "The method is not a token."
        case .invalidScheme: "The scheme is not one of a URL."
        case .invalidPath: "The request target is empty or not percent-encoded."
        case .invalidAuthority: "The host holds a character that no host may hold."
        case .repeatedHost: "More than one Host field is given."
        case .framingField: "Content-Length and Transfer-Encoding follow from the body and cannot be set."
        case .invalidFieldName: "The name of a field is not a token."
        case .negativeBodyLength: "The length of the body is negative."
        case .fieldListTooLong(let limit): "The fields take more than the \(limit) bytes that the server accepts."
        case .extendedConnectUnavailable: "The server does not offer extended CONNECT."
        case .tooManyStreams: "The server allows no further stream now."
        case .goingAway: "The connection takes no further requests."
        }
    }

    /// The document and section that state the rule, such as `"RFC 9113 §8.3.1"`.
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
    /// The reason, then the section.
    package var description: String { "\(self.reason) (\(self.section))" }
}
