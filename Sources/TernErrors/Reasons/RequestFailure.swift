// SPDX-License-Identifier: Apache-2.0
public import TernValues

/// The reason that a request, or a WebSocket message, is not sent.
@nonexhaustive
public enum RequestFailure: Error, Hashable, Sendable {
    /// The URL, or the client's `baseURL`, is not valid.
    case malformedURL
    /// The text of the URL is empty, or only white space.
    case emptyURL
    /// The URL has neither a scheme nor a host, and no `baseURL` supplies them.
    case relativeURL
    /// The URL seems to name a host but has no scheme, such as `//example.com/path` or `127.0.0.1:8080`.
    case missingScheme
    /// The scheme is neither `http` nor `https`; the text is the scheme if it is well known, otherwise it is empty.
    case unsupportedScheme(String)
    /// The URL has no host.
    case missingHost
    /// The host of the URL, or of the `Host` field, is ambiguous or not valid; write international names in ASCII.
    case malformedHost
    /// The request has more than one `Host` field (RFC 9112 §3.2).
    case repeatedHost
    /// The port is not a number from 1 to 65535.
    case malformedPort
    /// The method is not a token (RFC 9110 §9.1).
    case malformedMethod
    /// The path or query contains a character that must be percent-encoded (RFC 3986 §2).
    case malformedTarget
    /// A path component, or a part of one, is `.` or `..`, plain or percent-encoded, which servers may remove (RFC 3986 §5.2.4).
    case dotSegment
    /// A value that the program inserted in the path is empty or `nil`, so the request would reach another path.
    case emptyComponent
    /// The name of a field is not a token (RFC 9110 §5.1).
    case malformedFieldName
    /// The value of the named field contains a control character other than a tab, such as CR, LF or NUL (RFC 9110 §5.5).
    case malformedFieldValue(name: String)
    /// The request has `Content-Length` or `Transfer-Encoding`, which only the client sets.
    case framingField(name: String)
    /// Over HTTP/2, the estimated length of the fields exceeds the limit that the server announced (RFC 9113 §10.5.1).
    case fieldsTooLong(maximumByteCount: Int)
    /// The method does not allow a body: `TRACE` never allows one, and an upload with `GET` or `HEAD` is not possible.
    case bodyNotAllowed(method: String)
    /// The request has a body, and the program passed another body to the call.
    case ambiguousBody
    /// A value could not be encoded as the body, the query or a WebSocket message, or the body cannot be sent; the text says why.
    case bodyNotEncodable(String)
    /// A WebSocket cannot be opened with this request or these options; the text says why.
    case webSocketNotPossible(String)
    /// A download of this request cannot be resumed; the text says why.
    case notResumable(String)
    /// The multipart boundary occurs in one of the parts (RFC 2046 §5.1).
    case boundaryOccursInPart
}

extension RequestFailure: CustomStringConvertible, Described {
    package var wording: String {
        switch self {
        case .malformedURL: "the URL is not valid; percent-encode the characters that are not allowed in a URL"
        case .emptyURL: "the URL is empty"
        case .relativeURL: "the URL has no scheme and no host; begin it with https://, or set the client's baseURL"
        case .missingScheme: "the URL has no scheme; begin it with https://"
        case .unsupportedScheme(let scheme):
            switch ForeignText.scheme(scheme) {
            case "": "the URL does not begin with http:// or https://"
            case let known: "the scheme '\(known)' is not supported; use http or https"
            }
        case .missingHost: "the URL has no host"
        case .malformedHost: "the host is not valid; write an international name in ASCII, such as xn--caf-dma.com"
        case .repeatedHost: "the request has more than one Host field"
        case .malformedPort: "the port is not a number from 1 to 65535"
        case .malformedMethod: "the method is empty, or contains a character that is not allowed"
        case .malformedTarget: "the path or query contains a character that must be percent-encoded"
        case .dotSegment: "a path component is '.' or '..', which would change the path"
        case .emptyComponent: "an empty value was inserted as a path component, which would change the path"
        case .malformedFieldName: "the name of a header field is empty, or contains a character that is not allowed"
        case .malformedFieldValue(let name):
            "the value of the field '\(ForeignText.shown(name))' contains a control character, such as a line break"
        case .framingField(let name): "the client itself sets the field \(ForeignText.shown(name)); remove it"
        case .fieldsTooLong(let maximum):
            "the header fields take more than the \(Sentence.bytes(maximum)) that the server accepts"
        case .bodyNotAllowed(let method) where method != "TRACE":
            "an upload cannot use the method \(ForeignText.shown(method)); use POST or PUT, for example"
        case .bodyNotAllowed(let method): "a request with the method \(ForeignText.shown(method)) cannot have a body"
        case .ambiguousBody: "the request has a body, and the program passed another one to the call; remove one"
        case .bodyNotEncodable(let reason): "the body cannot be encoded: \(ForeignText.shown(reason))"
        case .webSocketNotPossible(let reason): "this request cannot open a WebSocket: \(Sentence.clause(reason))"
        case .notResumable(let reason): "a download of this request cannot be resumed: \(Sentence.clause(reason))"
        case .boundaryOccursInPart: "a part of the form contains the multipart boundary; choose another boundary"
        }
    }
}
