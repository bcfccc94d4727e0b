// SPDX-License-Identifier: Apache-2.0
// Exported, so that `description` and its like are found where only this module is imported (MemberImportVisibility).
@_exported public import TernValues
public import HTTPTypes
public import TernErrors

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// What to ask of a server: method, URL, fields, body and options.
///
/// A value: every modifier returns a changed copy and never throws, so that a request reads as one expression.
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
/// What cannot be sent, such as a string that is no URL or a value that cannot be encoded, is remembered as its
/// ``problem``. The client throws it, as `ClientError.invalidRequest`, before anything is sent.
public struct Request: Sendable {
    /// The method, such as `GET`.
    public var method: HTTPRequest.Method
    /// Where the request goes.
    ///
    /// A `URL` is sent as it is. `URL(string:)` encodes the escapes of a component again if another character of it may not
    /// stand there: `URL(string: "http://h/?a[0]=%20")` asks for `a%5B0%5D=%2520`, which Tern can't undo. Make the request
    /// from the text instead, by ``init(_:_:)``, which keeps escapes.
    ///
    /// If the string that the request was made from is no URL, this is a stand-in that no client
    /// accepts, until it is set.
    public var url: URL { didSet { self.problems.url = nil } }
    /// The fields the caller wants; `effectiveFields` also has the body's media type.
    public var fields: HTTPFields
    /// The content, if any.
    public var body: RequestBody? { didSet { self.problems.body = nil } }
    /// What the request wants otherwise than the client.
    public var options = RequestOptions()

    var problems = Problems()

    /// Creates a request.
    ///
    /// - Parameters:
    ///   - method: the method; `GET` by default.
    ///   - url: an absolute URL with the scheme `http` or `https`; see ``url`` for what `URL(string:)` does to escapes.
    ///   - fields: the fields; none by default.
    ///   - body: the content; none by default.
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

    /// Creates a request with the method `GET`.
    ///
    /// - Parameter url: an absolute URL with the scheme `http` or `https`.
    public init(url: URL) { self.init(.get, url) }

    /// Creates a request from the text of a URL.
    ///
    /// Escapes in the text stay as they are. What may not stand in a URL, such as a space, a bracket in a query, or a `%`
    /// that begins no escape, is percent-encoded once (RFC 3986 §2.4). White space around the text is left out.
    ///
    /// - Parameters:
    ///   - method: the method.
    ///   - string: an absolute URL. If it is none, the ``problem`` is `RequestFailure.malformedURL`, or
    ///     `RequestFailure.emptyURL` if there is no text; it is `RequestFailure.malformedHost` if a backslash, a second `@` or what no host may hold stands before the path.
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

    /// Stands for a URL where there is none.
    private static let noURL = URL(filePath: "/")

    /// Why the request cannot be sent, as far as that was seen while it was built; the URL's parts are checked by
    /// ``destination()``.
    public var problem: RequestFailure? {
        if let problem = self.problems.first { return problem }
        // "A client MUST NOT send content in a TRACE request" (RFC 9110 §9.3.8).
        guard self.body != nil, self.method == .trace else { return nil }
        return .bodyNotAllowed(method: self.method.rawValue)
    }

    /// What the URL means to HTTP/1.1.
    ///
    /// - Returns: The host to connect to, and what to write into the head.
    /// - Throws: the ``problem``, if there is one, or what ``Destination/init(_:)`` throws.
    /// - Complexity: O(*n*) in the length of the URL.
    public func destination() throws(RequestFailure) -> Destination {
        if let problem = self.problem { throw problem }
        return try Destination(self.url)
    }

    /// The ``fields``, with the body's media type as `Content-Type` unless they have one.
    ///
    /// Inlined into other modules: called there, it would copy the whole request.
    @inlinable package var effectiveFields: HTTPFields {
        guard let contentType = self.body?.contentType, !self.fields.contains(.contentType) else { return self.fields }
        var fields = self.fields
        fields[.contentType] = contentType
        return fields
    }

    /// A copy that cannot be sent.
    ///
    /// - Parameter problem: Why.
    /// - Returns: The copy.
    package func refused(_ problem: RequestFailure) -> Request { self.with { $0.problems.url = problem } }

    /// A copy with a change; every modifier is made of it.
    ///
    /// - Parameter change: what to change.
    /// - Returns: the copy.
    package func with(_ change: (inout Request) -> Void) -> Request {
        var copy = self
        change(&copy)
        return copy
    }
}

extension Request {
    /// The problems found while the request was built, by part; setting a part again clears its problem.
    struct Problems: Sendable {
        var url: RequestFailure?
        var field: RequestFailure?
        var body: RequestFailure?

        var first: RequestFailure? { self.url ?? self.field ?? self.body }
    }
}

extension Request: CustomStringConvertible, Described {
    /// Method, origin and path; neither the query nor any field or body, so that it is safe to log.
    package var wording: String {
        do {
            return "\(self.method.rawValue) \(try self.destination())"
        } catch {
            return "\(self.method.rawValue) (\(error))"
        }
    }
}

extension Request {
    /// Sets a field, in place of all that have its name.
    ///
    /// - Parameters:
    ///   - name: the name of the field.
    ///   - value: the value. One with a control character, such as a line break, is refused: the ``problem`` is then
    ///     `RequestFailure.malformedFieldValue`.
    /// - Returns: a changed copy.
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

    /// Sets a field by the text of its name, in place of all that have its name.
    ///
    /// - Parameters:
    ///   - name: the name of the field. If it is not a token, the ``problem`` is
    ///     `RequestFailure.malformedFieldName`.
    ///   - value: the value, under the same rule as in ``header(_:_:)-(HTTPField.Name,_)``.
    /// - Returns: a changed copy.
    public func header(_ name: String, _ value: String) -> Request {
        guard let name = HTTPField.Name(name) else { return self.with { $0.problems.field = .malformedFieldName } }
        return self.header(name, value)
    }

    /// Adds a field, after any others that have its name.
    ///
    /// - Parameters:
    ///   - name: the name of the field.
    ///   - value: the value, under the same rule as in ``header(_:_:)-(HTTPField.Name,_)``.
    /// - Returns: a changed copy.
    public func header(adding name: HTTPField.Name, _ value: String) -> Request {
        self.with { request in
            guard FieldValue.isValid(value) else {
                request.problems.field = .malformedFieldValue(name: name.rawName)
                return
            }
            request.fields.append(HTTPField(name: name, value: value))
        }
    }

    /// Adds a field by the text of its name, after any others that have its name.
    ///
    /// - Parameters:
    ///   - name: The name of the field. If it is not a token (RFC 9110 §5.1), the ``problem`` is
    ///     `RequestFailure.malformedFieldName`.
    ///   - value: The value, under the same rule as in ``header(_:_:)-(HTTPField.Name,_)``.
    /// - Returns: A changed copy.
    public func header(adding name: String, _ value: String) -> Request {
        guard let name = HTTPField.Name(name) else { return self.with { $0.problems.field = .malformedFieldName } }
        return self.header(adding: name, value)
    }
}

extension HTTPRequest.Method {
    /// The safe methods: "their defined semantics are essentially read-only" (RFC 9110 §9.2.1).
    package static let safe: [HTTPRequest.Method] = [.get, .head, .options, .trace]

    /// The idempotent methods: "PUT, DELETE, and safe request methods" (RFC 9110 §9.2.2).
    package static let idempotent = Self.safe + [.put, .delete]

    /// Whether a client asks for nothing but an answer by it; no method that is unknown is safe.
    package var isSafe: Bool { Self.safe.contains(self) }

    /// Whether several equal requests are as good as one; no method that is unknown is idempotent.
    package var isIdempotent: Bool { Self.idempotent.contains(self) }
}
