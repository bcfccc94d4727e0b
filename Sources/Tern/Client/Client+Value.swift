// SPDX-License-Identifier: Apache-2.0
import HTTPTypes
import NIOCore
public import TernErrors
public import TernFoundation
public import TernRequests
public import TernTransport
import TernValidation

extension Client {
    /// Fetches a URL and decodes the body off the caller's actor, as ``value(for:as:by:delegate:)-19ff7`` does for a request.
    nonisolated(nonsending)
        public func value<Value: Decodable & SendableMetatype>(
            from url: URL,
            as type: Value.Type = Value.self,
            by decoder: (any BodyDecoder)? = nil,
            delegate: (any TaskDelegate)? = nil
        ) async throws(ClientError) -> Value
    {
        try await self.value(for: Request(url: url), as: type, by: decoder, delegate: delegate)
    }

    /// Fetches a URL and decodes the body on the caller's actor, as ``value(for:as:by:delegate:)-5v8kk`` does for a request.
    nonisolated(nonsending)
        public func value<Value: Decodable>(
            from url: URL,
            as type: Value.Type = Value.self,
            by decoder: (any BodyDecoder)? = nil,
            delegate: (any TaskDelegate)? = nil
        ) async throws(ClientError) -> Value
    {
        try await self.value(for: Request(url: url), as: type, by: decoder, delegate: delegate)
    }

    /// Sends a request and decodes the body of the response, off the caller's actor.
    ///
    /// ```swift
    /// let request = Request(.get, "https://api.example.com/users/7")
    /// let user: User = try await client.value(for: request)
    /// ```
    ///
    /// The call accepts only a successful status (2xx). If the request or the client has validation rules, these decide instead.
    /// For an empty body, as after 204, the call returns `nil` if the type is an optional, and `emptyValue` if the type is
    /// ``EmptyDecodable``; for any other type, an empty body is an error. Decoding cannot be interrupted: time limits and
    /// cancellation affect only the steps before it.
    ///
    /// - Parameters:
    ///   - request: The request to send. If it sets no `Accept`, the client asks for the media type that the decoder reads.
    ///   - type: The type of the value.
    ///   - decoder: Decodes the body. Defaults to the client's ``Configuration/decoder``.
    ///   - delegate: Handles this call's challenges and events.
    /// - Returns: The value.
    /// - Throws: `ClientError`, as ``data(for:delegate:)`` does, and `.decodingFailed`, with the beginning of the body, when
    ///   decoding fails.
    nonisolated(nonsending)
        public func value<Value: Decodable & SendableMetatype>(
            for request: Request,
            as type: Value.Type = Value.self,
            by decoder: (any BodyDecoder)? = nil,
            delegate: (any TaskDelegate)? = nil
        ) async throws(ClientError) -> Value
    {
        try await self.value(for: request, by: decoder, delegate) { decoder, body, response in
            try await Self.decoded(type, by: decoder, from: body, of: response)
        }
    }

    /// Sends a request and decodes the body of the response on the caller's actor.
    ///
    /// The compiler picks this overload for types that can only be decoded on one actor, such as a `struct` of a module whose
    /// default isolation is the main actor, and for type parameters without `SendableMetatype`. Decoding a large body keeps the
    /// actor busy; to avoid that, declare the value's type `nonisolated`. In everything else, this method does the same as
    /// ``value(for:as:by:delegate:)-19ff7``.
    nonisolated(nonsending)
        public func value<Value: Decodable>(
            for request: Request,
            as type: Value.Type = Value.self,
            by decoder: (any BodyDecoder)? = nil,
            delegate: (any TaskDelegate)? = nil
        ) async throws(ClientError) -> Value
    {
        try await self.value(for: request, by: decoder, delegate) { decoder, body, response in
            try decoder.decode(type, from: body, of: response)
        }
    }

    private typealias Decoding<Value> = nonisolated(nonsending) (any BodyDecoder, Data, Response) async throws -> Value

    nonisolated(nonsending)
        private func value<Value>(
            for request: Request,
            by decoder: (any BodyDecoder)?,
            _ delegate: (any TaskDelegate)?,
            _ decode: Decoding<Value>
        ) async throws(ClientError) -> Value
    {
        let decoder = decoder ?? self.configuration.decoder
        var request = self.accepting(request)
        if let accept = decoder.accept, !request.fields.contains(.accept) { request.fields[.accept] = accept }
        let limit = request.options.maximumBodyByteCount ?? self.configuration.maximumBodyByteCount
        let (call, reply) = try await self.exchange(request, delegate)
        return try await call.completing(reply) { reply async throws(ClientError) in
            let body = try await reply.collect(limit: limit, for: call)
            do {
                if body.isEmpty { return try Self.emptyValue(Value.self) }
                return try await decode(decoder, body, reply.response)
            } catch {
                var failure =
                    (error as? EmptyBody).map { _ in DecodingFailure(.emptyBody, type: "\(Value.self)") }
                    ?? DecodingFailure(error, decoding: Value.self)
                failure.body = body.beginning(self.configuration.maximumErrorBodyByteCount)
                failure.isBodyComplete = failure.body.count == body.count
                throw ClientError.decodingFailed(
                    failure,
                    call.context(.decode, response: reply.response.httpResponse)
                )
            }
        }
    }

    /// Sends a request and returns the response without its body.
    ///
    /// The call accepts only a successful status (2xx). If the request or the client has validation rules, these decide instead.
    /// The client drops the body, which may break off without an error. To reuse the connection, it reads up to about 256 KiB;
    /// after a longer or slower body, it closes the connection, or with HTTP/2 the stream. Throws `ClientError`, as
    /// ``data(for:delegate:)`` does, except `.bodyTooLarge`.
    @discardableResult
    public func send(
        _ request: Request,
        delegate: (any TaskDelegate)? = nil
    ) async throws(ClientError) -> Response {
        let (call, reply) = try await self.exchange(self.accepting(request), delegate)
        return try await call.completing(reply) { reply async throws(ClientError) in
            try await Self.drop(reply.body, of: call)
            return reply.response
        }
    }

    /// The maximum length of an unwanted body that the client reads, because that costs less than a new connection.
    private static let maximumDroppedByteCount = 256 << 10

    private static func drop(_ body: ResponseBody, of call: HTTPCall) async throws(ClientError) {
        var reader = body.makeReader()
        let start = call.clock.now
        var byteCount = 0
        do throws(ClientError) {
            while byteCount < Self.maximumDroppedByteCount, let bytes = try await reader.next() {
                byteCount += bytes.readableBytes
                // A server that sends one byte at a time gets no more time than a silent server.
                if let idle = call.timeouts.idle, start.duration(to: call.clock.now) > idle { break }
            }
        } catch {
            // The body is unwanted, so it may break off without an error. But a validation rule may limit its length.
            if error.isCancellation { throw error }
            if case .validationFailed = error { throw error }
        }
    }

    @concurrent
    private static func decoded<Value: Decodable & SendableMetatype>(
        _ type: Value.Type,
        by decoder: any BodyDecoder,
        from body: Data,
        of response: Response
    ) async throws -> sending Value {
        try decoder.decode(type, from: body, of: response)
    }

    /// Returns the request, with a rule that requires a successful status unless the request or the client has rules.
    func accepting(_ request: Request) -> Request {
        guard request.options.validation == nil, self.configuration.validation == nil else { return request }
        return request.validate(.success)
    }

    private struct EmptyBody: Error {}

    private static func emptyValue<Value>(_ type: Value.Type) throws(EmptyBody) -> Value {
        if let type = type as? any EmptyDecodable.Type, let value = type.emptyValue as? Value { return value }
        if let type = type as? any NilForEmpty.Type, let value = type.nilForEmpty as? Value { return value }
        throw EmptyBody()
    }
}

/// An optional; a protocol of its own, so that Tern adds no public member to `Optional`.
private protocol NilForEmpty {
    /// The value for an empty body: `nil`.
    static var nilForEmpty: Self { get }
}

extension Optional: NilForEmpty {
    fileprivate static var nilForEmpty: Wrapped? { nil }
}

extension Data {
    /// Returns a copy of the first bytes, which unlike a slice does not keep the rest in memory.
    func beginning(_ byteCount: Int) -> Data {
        guard byteCount < self.count else { return self }
        return self.prefix(Swift.max(0, byteCount)).withUnsafeBytes { Data($0) }
    }
}
