// SPDX-License-Identifier: Apache-2.0
import HTTPTypes
import NIOCore
public import TernErrors
public import TernRequests
public import TernTransport
import TernValidation

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

extension Client {
    /// Fetches a URL and decodes the body, off the caller's actor.
    ///
    /// - Parameters:
    ///   - url: An `http` or `https` URL.
    ///   - type: The type of the value; the context may determine it.
    ///   - decoder: Reads the body. Defaults to the client's ``Configuration/decoder``.
    ///   - delegate: Handles this call's challenges and events. Retained until the call ends. Defaults to `nil`.
    /// - Returns: The value; see ``value(for:as:by:delegate:)-19ff7``.
    /// - Throws: `ClientError`, as ``value(for:as:by:delegate:)-19ff7``.
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

    /// Fetches a URL and decodes the body on the caller's actor, for types whose `Decodable` belongs to that actor.
    ///
    /// - Parameters:
    ///   - url: An `http` or `https` URL.
    ///   - type: The type of the value; the context may determine it.
    ///   - decoder: Reads the body. Defaults to the client's ``Configuration/decoder``.
    ///   - delegate: Handles this call's challenges and events. Retained until the call ends. Defaults to `nil`.
    /// - Returns: The value; see ``value(for:as:by:delegate:)-5v8kk``.
    /// - Throws: `ClientError`, as ``value(for:as:by:delegate:)-5v8kk``.
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
    /// let user: User = try await client.value(for: Request(.get, "https://api.example.com/users/7"))
    /// ```
    ///
    /// The call accepts only a status of success (2xx), unless the request or the client has rules of its own. An empty
    /// body, as after 204, is `nil` if the type is an optional, and `emptyValue` if the type is ``EmptyDecodable``; other
    /// types cannot be decoded from it. A request without `Accept` asks for the media type that the decoder reads.
    ///
    /// The compiler picks this overload for all types but those that can be decoded on one actor alone. Decoding cannot be
    /// interrupted: the call's limits of time, and cancellation, end only what comes before it.
    ///
    /// - Parameters:
    ///   - request: The request to send.
    ///   - type: The type of the value; the context may determine it.
    ///   - decoder: Reads the body. Defaults to the client's ``Configuration/decoder``.
    ///   - delegate: Handles this call's challenges and events. Retained until the call ends. Defaults to `nil`.
    /// - Returns: The value.
    /// - Throws: `ClientError`: `.validationFailed` if the response is not accepted; `.decodingFailed`, with the beginning
    ///   of the body, if the body is not the value; `.bodyTooLarge` and `.cancelled` as for ``data(for:delegate:)``.
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
    /// The compiler picks this overload for types that can be decoded on one actor alone, such as a `struct` of a module
    /// whose default isolation is the main actor, and for type parameters without `SendableMetatype`. A large body keeps
    /// the actor busy while it is decoded: declare its type `nonisolated`, and it is decoded off the actor. All else is as
    /// for ``value(for:as:by:delegate:)-19ff7``.
    ///
    /// - Parameters:
    ///   - request: The request to send.
    ///   - type: The type of the value; the context may determine it.
    ///   - decoder: Reads the body. Defaults to the client's ``Configuration/decoder``.
    ///   - delegate: Handles this call's challenges and events. Retained until the call ends. Defaults to `nil`.
    /// - Returns: The value.
    /// - Throws: `ClientError`: `.validationFailed` if the response is not accepted; `.decodingFailed`, with the beginning
    ///   of the body, if the body is not the value; `.bodyTooLarge` and `.cancelled` as for ``data(for:delegate:)``.
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

    /// Makes a value of a body.
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
                failure.body = body.beginning(self.configuration.keptBodyByteCount)
                failure.isBodyComplete = failure.body.count == body.count
                throw ClientError.decodingFailed(
                    failure,
                    call.context(.decode, response: reply.response.httpResponse)
                )
            }
        }
    }

    /// Sends a request whose response has nothing that is wanted but its head.
    ///
    /// Only a status of success (2xx) is accepted, unless the request or the client has rules of its own. A body is
    /// dropped: what is short is read, so that the connection can be used again; what is longer than 256 KiB, or takes
    /// longer than the idle timeout, is not waited for, and closes it. A body that breaks off is no failure.
    ///
    /// - Parameters:
    ///   - request: what to send.
    ///   - delegate: Handles this call's challenges and events. Retained until the call ends. Defaults to `nil`.
    /// - Returns: the response.
    /// - Throws: `ClientError`; `.validationFailed` for a response that is not accepted, `.cancelled` when the task is
    ///   cancelled, which ends the call at once.
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

    /// How much of an unwanted body is read: up to there, reading costs less than another connection.
    private static let maximumDroppedByteCount = 256 << 10

    /// Reads what is short, so that the connection can be used again.
    private static func drop(_ body: ResponseBody, of call: HTTPCall) async throws(ClientError) {
        var reader = body.makeReader()
        let start = call.clock.now
        var byteCount = 0
        do throws(ClientError) {
            while byteCount < Self.maximumDroppedByteCount, let bytes = try await reader.next() {
                byteCount += bytes.readableBytes
                // A server that drips one byte at a time is not waited for any longer than one that is silent.
                if let idle = call.timeouts.idle, start.duration(to: call.clock.now) > idle { break }
            }
        } catch {
            // The body is unwanted, so a broken one is not a failure; but a rule may limit its length.
            if error.isCancellation { throw error }
            if case .validationFailed = error { throw error }
        }
    }

    /// Decodes away from the actor of the caller, which may be that of the user interface.
    @concurrent
    private static func decoded<Value: Decodable & SendableMetatype>(
        _ type: Value.Type,
        by decoder: any BodyDecoder,
        from body: Data,
        of response: Response
    ) async throws -> sending Value {
        try decoder.decode(type, from: body, of: response)
    }

    /// The request with the rule that its status is one of success, unless it or the client has rules.
    func accepting(_ request: Request) -> Request {
        guard request.options.validation == nil, self.configuration.validation == nil else { return request }
        return request.validate(.success)
    }

    private struct EmptyBody: Error {}

    private static func emptyValue<Value>(_ type: Value.Type) throws(EmptyBody) -> Value {
        guard let type = type as? any EmptyDecodable.Type, let value = type.emptyValue as? Value else {
            throw EmptyBody()
        }
        return value
    }
}

extension Data {
    /// The first bytes in memory of their own, so that they do not keep the rest.
    func beginning(_ byteCount: Int) -> Data {
        guard byteCount < self.count else { return self }
        return self.prefix(Swift.max(0, byteCount)).withUnsafeBytes { Data($0) }
    }
}
