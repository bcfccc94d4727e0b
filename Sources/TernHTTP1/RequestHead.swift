// SPDX-License-Identifier: Apache-2.0

public import HTTPTypes

/// The head of a request: what is written before the body.
///
/// Call ``validate()`` once for what comes from outside, then ``encode(into:)``; neither allocates.
///
/// ```swift
/// let head = RequestHead(method: .get, target: "/find?q=tern", host: "example.com")
/// try head.validate()
/// var output = OutputRawSpan(buffer: memory, initializedCount: 0)  // of head.encodedByteCountUpperBound bytes
/// head.encode(into: &output)
/// ```
public struct RequestHead: Sendable {
    /// How the server finds the end of the request's body (RFC 9112 §6).
    public enum BodyFraming: Hashable, Sendable {
        /// There is no body.
        case none
        /// The body has this many bytes.
        case length(Int64)
        /// The body comes in chunks, framed by ``ChunkEncoder``; only for servers that speak HTTP/1.1.
        case chunked
    }

    /// The method.
    public var method: HTTPRequest.Method
    /// The request target, percent-encoded: a path with its query, or what a proxy, CONNECT or OPTIONS needs.
    public var target: String
    /// The value of `Host`: the authority without user information; one `Host` in ``fields`` replaces it.
    public var host: String
    /// The other fields, sent in this order; not `Content-Length` and not `Transfer-Encoding`.
    public var fields: HTTPFields { didSet { self.steering = SteeringFields(self.fields) } }
    /// How the end of the body is found; none by default.
    public var bodyFraming: BodyFraming
    /// Whether to wait for a 100 before the body is sent; `false` by default, and without effect if there is no body.
    ///
    /// RFC 9110 §10.1.1: a client must not expect 100 (Continue) for a request without content.
    public var expectsContinue: Bool
    /// Whether this is the last request on its connection; `false` by default.
    public var closesConnection: Bool

    /// What the fields come to.
    private(set) var steering: SteeringFields

    /// Creates a head.
    ///
    /// - Parameters:
    ///   - method: the method.
    ///   - target: the request target, percent-encoded.
    ///   - host: the value of `Host`.
    ///   - fields: the other fields; none by default.
    ///   - bodyFraming: how the end of the body is found; none by default.
    ///   - expectsContinue: whether to wait for a 100 before the body is sent; `false` by default.
    ///   - closesConnection: whether this is the last request on its connection; `false` by default.
    public init(
        method: HTTPRequest.Method,
        target: String,
        host: String,
        fields: HTTPFields = [:],
        bodyFraming: BodyFraming = .none,
        expectsContinue: Bool = false,
        closesConnection: Bool = false
    ) {
        self.method = method
        self.target = target
        self.host = host
        self.fields = fields
        self.steering = SteeringFields(fields)
        self.bodyFraming = bodyFraming
        self.expectsContinue = expectsContinue
        self.closesConnection = closesConnection
    }

    /// Checks everything that could break the framing or the meaning of the message.
    ///
    /// Names and values of ``fields`` are not read again: `HTTPField` lets only tokens be names, and lets no value hold
    /// NUL, CR or LF, even when made leniently.
    ///
    /// - Throws: the rule that ``encode(into:)`` would break.
    /// - Complexity: O(*n*) in the bytes of target and host, and in the number of fields.
    public func validate() throws(RequestHeadViolation) {
        guard Self.check(self.method.rawValue, { $0.isToken }) else { throw .invalidMethod }
        guard Self.check(self.target, { $0.isTarget }) else { throw .invalidTarget }
        guard Self.check(self.host, { $0.isVisibleASCII }) else { throw .invalidHost }
        if case .length(let length) = self.bodyFraming, length < 0 { throw .negativeBodyLength }
        guard !self.steering.hasFraming else { throw .framingField }
        guard self.steering.hostCount <= 1 else { throw .repeatedHost }
        guard !self.steering.hasInvalidHost else { throw .invalidHost }
    }

    private static func check(_ text: String, _ rule: (ByteView) -> Bool) -> Bool {
        if let answer = text.utf8.withContiguousStorageIfAvailable({ rule(ByteView(UnsafeRawBufferPointer($0))) }) {
            return answer
        }
        return Array(text.utf8).withUnsafeBytes { rule(ByteView($0)) }
    }
}

extension ByteView {
    /// Whether this is one token.
    fileprivate var isToken: Bool { self.count > 0 && self.endOfToken(from: 0, to: self.count) == self.count }

    /// Whether there is nothing but visible ASCII, which leaves out all white space.
    var isVisibleASCII: Bool { self.endOfVisibleASCII(from: 0, to: self.count) == self.count }

    /// Whether this may be a request target; RFC 9110 §7.1: a fragment is not part of what is sent.
    fileprivate var isTarget: Bool {
        self.count > 0 && self.isVisibleASCII && !self.part(0..<self.count).contains(UInt8(ascii: "#"))
    }
}
