// SPDX-License-Identifier: Apache-2.0
public import TernValues

/// Why a request was refused before anything was sent.
@nonexhaustive
public enum RequestFailure: Error, Hashable, Sendable {
    /// The text cannot be read as a URL.
    case malformedURL
    /// The text of the URL is empty, or only white space.
    case emptyURL
    /// The URL has neither a scheme nor a host, and the client has no `baseURL` to resolve it against.
    case relativeURL
    /// The URL names a host but no scheme: `//example.com/path`.
    case missingScheme
    /// The scheme is neither `http` nor `https`; empty unless it is a well-known one, because it might be part of a secret.
    case unsupportedScheme(String)
    /// The URL names no host.
    case missingHost
    /// The host holds characters that no host name or address has. Write international names in their ASCII form.
    case malformedHost
    /// The port is not a number from 1 to 65535.
    case malformedPort
    /// The method is not a token (RFC 9110 §9.1).
    case malformedMethod
    /// The path or query holds a character that must be percent-encoded (RFC 3986 §2).
    case malformedTarget
    /// A path component is `.` or `..`, which servers take for a step in the tree, even when percent-encoded (RFC 3986
    /// §5.2.4).
    case dotSegment
    /// A value that stands for a component of the path is empty, so that the path would lead elsewhere.
    case emptyComponent
    /// The name of a field is not a token (RFC 9110 §5.1).
    case malformedFieldName
    /// The value of the named field holds CR, LF or NUL (RFC 9110 §5.5).
    case malformedFieldValue(name: String)
    /// The named field frames the message, which is the client's own task (RFC 9112 §6).
    case framingField(name: String)
    /// The method does not take a body: a body on `TRACE`, or an upload by `GET` or `HEAD`.
    case bodyNotAllowed(method: String)
    /// Both the request and the call bring a body.
    case ambiguousBody
    /// A value could not be encoded as the body; the text is the encoder's.
    case bodyNotEncodable(String)
    /// A WebSocket cannot be asked for like this; the text says why.
    case webSocketNotPossible(String)
    /// The multipart boundary occurs in one of the parts (RFC 2046 §5.1).
    case boundaryOccursInPart
}

extension RequestFailure: CustomStringConvertible, Described {
    /// What is wrong, in a few words.
    package var wording: String {
        switch self {
        case .malformedURL: "the URL cannot be read; encode characters that may not stand there"
        case .emptyURL: "the URL is empty"
        case .relativeURL: "the URL has no scheme and host: set baseURL, or begin with https://"
        case .missingScheme: "the URL has no scheme: begin with https://"
        case .unsupportedScheme(let scheme):
            switch ForeignText.scheme(scheme) {
            case "": "the URL does not begin with http:// or https://"
            case let known: "the scheme '\(known)' is not supported; use http or https"
            }
        case .missingHost: "the URL has no host"
        case .malformedHost: "the host is malformed"
        case .malformedPort: "the port is malformed"
        case .malformedMethod: "the method is not a token"
        case .malformedTarget: "the path or query holds a character that must be percent-encoded"
        case .dotSegment: "a path component is '.' or '..'"
        case .emptyComponent: "a value that stands for a path component is empty"
        case .malformedFieldName: "the name of a field is not a token"
        case .malformedFieldValue(let name): "the value of '\(ForeignText.shown(name))' holds a line break or NUL"
        case .framingField(let name): "'\(ForeignText.shown(name))' is set by the client itself"
        case .bodyNotAllowed(let method): "\(ForeignText.shown(method)) takes no body"
        case .ambiguousBody: "the request and the call both bring a body"
        case .bodyNotEncodable(let reason): "the body cannot be encoded: \(ForeignText.shown(reason))"
        case .webSocketNotPossible(let reason): "this request cannot open a WebSocket: \(ForeignText.shown(reason))"
        case .boundaryOccursInPart: "the multipart boundary occurs in a part"
        }
    }
}
