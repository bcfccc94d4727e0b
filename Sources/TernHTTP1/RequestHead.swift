// SPDX-License-Identifier: Apache-2.0

public import HTTPTypes
@_spi(CrossModuleInlining) package import TernFields
public import TernFoundation

/// The head of a request: everything that is written before the body.
///
/// If values come from outside of the program, call ``validate()`` before ``encode(into:)``.
///
/// ```swift
/// let head = RequestHead(method: .get, target: "/find?q=tern", host: "example.com")
/// try head.validate()
/// // The memory has head.encodedByteCountUpperBound bytes.
/// var output = OutputRawSpan(buffer: memory, initializedCount: 0)
/// head.encode(into: &output)
/// ```
public struct RequestHead: Sendable {
    /// The way in which the server finds the end of the request's body; RFC 9112 §6.3 defines only these three.
    public enum BodyFraming: Hashable, Sendable {
        /// There is no body.
        case none
        /// The body has this many bytes.
        case length(Int64)
        /// The body is sent in chunks, framed by ``ChunkEncoder``; only for servers that support HTTP/1.1.
        case chunked
    }

    /// The method.
    public var method: HTTPRequest.Method
    /// The request target, percent-encoded: a path with its query, or the form that a proxy, CONNECT or OPTIONS needs.
    public var target: String
    /// The value of `Host`: the authority without user information; a `Host` in ``fields`` takes its place.
    public var host: String
    /// The other fields, in their order, without those that follow from ``bodyFraming``: `Content-Length` and `Transfer-Encoding`.
    public var fields: HTTPFields { didSet { self.steering = SteeringFields(self.fields) } }
    /// The framing of the body.
    public var bodyFraming: BodyFraming
    /// Whether the client asks for 100 (Continue) before it sends the body, if there is one (RFC 9110 §10.1.1).
    public var expectsContinue: Bool
    /// Whether the encoder adds `Connection: close`, because this is the last request on its connection.
    public var closesConnection: Bool

    package private(set) var steering: SteeringFields

    /// Creates a head from its parts, which the properties describe.
    public init(
        method: HTTPRequest.Method,
        target: String,
        host: String,
        fields: HTTPFields = [:],
        bodyFraming: BodyFraming = .none,
        expectsContinue: Bool = false,
        closesConnection: Bool = false
    ) {
        self.init(
            method: method,
            target: target,
            host: host,
            fields: fields,
            steering: SteeringFields(fields),
            bodyFraming: bodyFraming,
            expectsContinue: expectsContinue,
            closesConnection: closesConnection
        )
    }

    package init(
        method: HTTPRequest.Method,
        target: String,
        host: String,
        fields: HTTPFields,
        steering: SteeringFields,
        bodyFraming: BodyFraming,
        expectsContinue: Bool,
        closesConnection: Bool = false
    ) {
        assert(steering == SteeringFields(fields), "the summary is that of other fields")
        self.method = method
        self.target = target
        self.host = host
        self.fields = fields
        self.steering = steering
        self.bodyFraming = bodyFraming
        self.expectsContinue = expectsContinue
        self.closesConnection = closesConnection
    }

    /// Throws the first ``RequestHeadError`` that it finds; of the values of fields, checks only that of `Host`.
    public func validate() throws(RequestHeadError) {
        guard ByteView.check(self.method.rawValue, { $0.isToken }) else { throw .invalidMethod }
        guard ByteView.check(self.target, { $0.isRequestTarget }) else { throw .invalidTarget }
        guard ByteView.check(self.host, { $0.isVisibleASCII }) else { throw .invalidHost }
        if case .length(let length) = self.bodyFraming, length < 0 { throw .negativeBodyLength }
        guard !self.steering.hasFraming else { throw .framingField }
        guard !self.steering.hasMalformedName else { throw .invalidFieldName }
        guard self.steering.hostCount <= 1 else { throw .repeatedHost }
        guard !self.steering.hasInvalidHost else { throw .invalidHost }
    }
}

/// A rule of HTTP/1.1 that a request would break because of a value from the caller; no case contains this value.
@nonexhaustive
public enum RequestHeadError: Error, Hashable, Sendable {
    /// The method is not a token.
    case invalidMethod
    /// The target is empty, or contains a fragment, white space, a control character or a byte outside ASCII.
    case invalidTarget
    /// The host, or the value of `Host`, contains white space, a control character or a byte outside ASCII.
    case invalidHost
    /// There is more than one `Host` field.
    case repeatedHost
    /// There is a `Content-Length` or `Transfer-Encoding` field; use ``RequestHead/bodyFraming`` instead.
    case framingField
    /// A field has the name `Malformed-Name`, which stands for a text that is not a field name, such as `"X Key"`.
    case invalidFieldName
    /// The body length is negative.
    case negativeBodyLength

    /// The document and section to read about the error, such as `"RFC 9112 §3.2"`.
    public var section: String {
        switch self {
        case .invalidMethod: "RFC 9112 §3.1"
        case .invalidTarget, .invalidHost, .repeatedHost: "RFC 9112 §3.2"
        case .framingField: "RFC 9112 §6"
        case .invalidFieldName: "RFC 9110 §5.1"
        case .negativeBodyLength: "RFC 9110 §8.6"
        }
    }

    /// One sentence that describes the error, without values of the request; its wording is not stable.
    public var reason: String {
        switch self {
        case .invalidMethod: "The request method is empty or contains a character that is not allowed."
        case .invalidTarget:
            "The target of the request is empty or contains a character that must be percent-encoded."
        case .invalidHost: "The host contains a character that is not allowed."
        case .repeatedHost: "The request has more than one Host field."
        case .invalidFieldName: "The name of a request field is empty or contains a character that is not allowed."
        case .framingField:
            "The request has a Content-Length or Transfer-Encoding field, which only the client may set."
        case .negativeBodyLength: "The length of the request body is negative."
        }
    }
}

extension RequestHeadError: CustomStringConvertible {
    /// The reason and the section.
    public var description: String { "\(self.reason) (\(self.section))" }
}

extension RequestHeadError: LocalizedError {
    /// One sentence that an app may show; its wording is not stable.
    public var errorDescription: String? { self.reason }
}
