// SPDX-License-Identifier: Apache-2.0
// Exported, so that a file that imports only this module sees `description` and the like (MemberImportVisibility).
@_exported public import TernValues
public import HTTPTypes
public import TernErrors
public import TernFoundation

/// A request: method, URL, fields, body and options.
///
/// A request is a value. Its modifiers return copies and do not throw, so a request reads as one expression.
///
/// ```swift
/// let request = Request(.post, "https://api.example.com")
///     .path("users")
///     .pathSegment(userID)
///     .query("page", 2)
///     .header(.accept, "application/json")
///     .body(json: photo)
/// ```
///
/// If a part of the request is invalid, such as a string that is not a URL or a value that cannot be encoded, the request
/// remembers the ``problem``. The client throws the problem as `ClientError.invalidRequest` before it sends anything.
public struct Request: Sendable {
    /// The method, such as `GET`.
    public var method: HTTPRequest.Method
    /// The URL of the request, whose path and query the client does not encode again.
    ///
    /// `URL(string:)` may already have changed the text: if a component contains a character that is not allowed there, it also
    /// encodes the component's percent-encodings a second time. `URL(string: "http://h/?a[0]=%20")`, for example, requests
    /// `a%5B0%5D=%2520`. To keep percent-encodings, create the request from the text, with ``init(_:_:)``.
    ///
    /// If the request was created from a string that is not a URL, this property is a placeholder that no client accepts.
    /// Assigning a URL clears the ``problem`` of the placeholder.
    public var url: URL { didSet { self.problems.url = nil } }
    /// The fields that the caller set; the client adds others, such as `Content-Type` for the body.
    public var fields: HTTPFields
    /// The content, if any.
    public var body: RequestBody? { didSet { self.problems.body = nil } }
    /// The settings that override the client's.
    public var options = RequestOptions()

    var problems = Problems()

    /// Creates a request from a URL: `http` or `https`, for a WebSocket also `ws` or `wss`, or relative to the client's base URL.
    public init(
        _ method: HTTPRequest.Method = .get,
        _ url: URL,
        fields: HTTPFields = [:],
        body: RequestBody? = nil
    ) {
        self.method = method
        self.url = url
        self.fields = fields
        self.body = body
    }

    /// Creates a request with the method `GET` from a URL, as ``init(_:_:fields:body:)`` does.
    public init(url: URL) { (self.method, self.url, self.fields, self.body) = (.get, url, HTTPFields(), nil) }

    /// Creates a request from the text of a URL, which is absolute unless the client has a base URL.
    ///
    /// Outside the host, percent-encodings in the text stay unchanged, and characters that a URL may not contain, such as a space,
    /// a bracket in a query, or a `%` that does not begin a percent-encoding, are percent-encoded once (RFC 3986 §2.4). ASCII white
    /// space around the text is left out.
    ///
    /// If the text is not a URL, the ``problem`` is `RequestFailure.malformedURL`; if it is empty, `.emptyURL`; if it begins with
    /// an address and a port, such as `127.0.0.1:8080`, `.missingScheme`; if the part before the path contains a backslash or a
    /// second `@`, or the host a character that no host may have, `.malformedHost`.
    public init(_ method: HTTPRequest.Method, _ string: String) {
        self.method = method
        self.url = Self.noURL
        self.fields = [:]
        self.body = nil
        do throws(RequestFailure) {
            self.url = try URLReference(string).url()
        } catch {
            self.problems.url = error
        }
    }

    private static let noURL = URL(filePath: "/")

    /// The reason that the request cannot be sent: one that an initializer or a modifier found, or a body with `TRACE`.
    ///
    /// Of several, that of the URL comes first, and that of the body last. To also check the parts of the URL, call
    /// ``destination()``.
    public var problem: RequestFailure? {
        if let problem = self.problems.first { return problem }
        // "A client MUST NOT send content in a TRACE request" (RFC 9110 §9.3.8).
        guard self.body != nil, self.method == .trace else { return nil }
        return .bodyNotAllowed(method: self.method.rawValue)
    }

    /// Returns the host to connect to and the target of the request, as the URL names them (RFC 9112 §3.2).
    ///
    /// - Throws: The ``problem``, if there is one, or the error that ``Destination/init(_:)`` throws.
    public func destination() throws(RequestFailure) -> Destination {
        if let problem = self.problem { throw problem }
        return try Destination(self.url)
    }

    /// The ``fields``, and the body's media type; inlined into other modules, because a call would copy the whole request.
    @inlinable package var effectiveFields: HTTPFields {
        guard let contentType = self.body?.contentType, !self.fields.contains(.contentType) else { return self.fields }
        var fields = self.fields
        fields[.contentType] = contentType
        return fields
    }

    package func refused(_ problem: RequestFailure) -> Request { self.with { $0.problems.url = problem } }

    package func with(_ change: (inout Request) -> Void) -> Request {
        var copy = self
        change(&copy)
        return copy
    }
}

extension Request {
    /// The problems that were found, each cleared when its part becomes valid; the problem of a malformed name stays.
    struct Problems: Sendable {
        var url: RequestFailure?
        var field: RequestFailure?
        var body: RequestFailure?

        var first: RequestFailure? { self.url ?? self.field ?? self.body }
    }
}

extension Request: CustomStringConvertible, Described {
    /// The method, followed by the origin and the path, or by the problem: safe to log, without query, fields and body.
    package var wording: String {
        do {
            return "\(self.method.rawValue) \(try self.destination())"
        } catch {
            return "\(self.method.rawValue) (\(error))"
        }
    }
}

extension Request {
    /// Sets a field, in place of all fields with the same name.
    ///
    /// If the value contains a forbidden character, such as a line break, the ``problem`` is `RequestFailure.malformedFieldValue`.
    public func header(_ name: HTTPField.Name, _ value: String) -> Request {
        self.with { request in
            guard FieldValue.isValid(value) else {
                request.problems.field = .malformedFieldValue(name: name.rawName)
                return
            }
            if request.problems.field == .malformedFieldValue(name: name.rawName) { request.problems.field = nil }
            request.fields[name] = value
        }
    }

    /// Sets a field by the text of its name, as ``header(_:_:)-(HTTPField.Name,_)`` does.
    ///
    /// If the name is not a token (RFC 9110 §5.1), the ``problem`` is `RequestFailure.malformedFieldName`.
    public func header(_ name: String, _ value: String) -> Request {
        guard let name = HTTPField.Name(name) else { return self.with { $0.problems.field = .malformedFieldName } }
        return self.header(name, value)
    }

    /// Adds a field, and keeps other fields with the same name before it; see ``header(_:_:)-(HTTPField.Name,_)`` for the value.
    public func header(adding name: HTTPField.Name, _ value: String) -> Request {
        self.with { request in
            guard FieldValue.isValid(value) else {
                request.problems.field = .malformedFieldValue(name: name.rawName)
                return
            }
            request.fields.append(HTTPField(name: name, value: value))
        }
    }

    /// Adds a field by the text of its name, and keeps other fields with the same name before it.
    ///
    /// If the name is not a token (RFC 9110 §5.1), the ``problem`` is `RequestFailure.malformedFieldName`.
    public func header(adding name: String, _ value: String) -> Request {
        guard let name = HTTPField.Name(name) else { return self.with { $0.problems.field = .malformedFieldName } }
        return self.header(adding: name, value)
    }
}

extension Request {
    /// Whether the client may send the request again by itself although the server may have acted on it: as the option says, or
    /// else if the method is idempotent (RFC 9110 §9.2.2).
    package var isRepeatable: Bool { self.options.isRepeatable ?? self.method.isIdempotent }
}

extension HTTPRequest.Method {
    /// The safe methods: "their defined semantics are essentially read-only" (RFC 9110 §9.2.1).
    package static let safe: [HTTPRequest.Method] = [.get, .head, .options, .trace]

    /// The idempotent methods: "PUT, DELETE, and safe request methods" (RFC 9110 §9.2.2).
    package static let idempotent = Self.safe + [.put, .delete]

    package var isSafe: Bool { Self.safe.contains(self) }

    package var isIdempotent: Bool { Self.idempotent.contains(self) }
}
