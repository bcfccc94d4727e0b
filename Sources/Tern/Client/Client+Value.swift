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
    /// Fetches a URL and decodes the body.
    ///
    /// - Parameters:
    ///   - url: an `http` or `https` URL.
    ///   - type: what the body is; may be left out where the context says it.
    ///   - decoder: reads the body; that of the client by default.
    ///   - delegate: is asked and told about this call; held until it ends; nobody by default.
    /// - Returns: the value; see ``value(for:as:by:delegate:)``.
    /// - Throws: `ClientError`, as ``value(for:as:by:delegate:)``.
    public func value<Value: Decodable & SendableMetatype>(
        from url: URL,
        as type: Value.Type = Value.self,
        by decoder: (any BodyDecoder)? = nil,
        delegate: (any TaskDelegate)? = nil
    ) async throws(ClientError) -> Value {
        try await self.value(for: Request(url: url), as: type, by: decoder, delegate: delegate)
    }

    /// Sends a request and decodes the body of the response.
    ///
    /// ```swift
    /// let user: User = try await client.value(for: Request(.get, "https://api.example.com/users/7"))
    /// ```
    ///
    /// Only a status of success (2xx) is accepted, unless the request or the client has rules of its own: the page that
    /// reports an error is no value. An empty body, as after 204, is `nil` where the type is an optional, and what an
    /// ``EmptyDecodable`` type says; for others it cannot be decoded. A request without `Accept` asks for what the decoder
    /// reads.
    ///
    /// The decoder runs away from the actor of the caller, so the type must not be bound to an actor (`nonisolated`, where
    /// a module has all on the main one). It cannot be interrupted: the call's limits of time and cancellation end what
    /// comes before it.
    ///
    /// - Parameters:
    ///   - request: what to send.
    ///   - type: what the body is; may be left out where the context says it.
    ///   - decoder: reads the body; that of the client by default.
    ///   - delegate: is asked and told about this call; held until it ends; nobody by default.
    /// - Returns: the value.
    /// - Throws: `ClientError`; `.validationFailed` for a response that is not accepted, `.decodingFailed` for a body that
    ///   is not the value, with the beginning of it; `.bodyTooLarge` and `.cancelled` as for ``data(for:delegate:)``.
    public func value<Value: Decodable & SendableMetatype>(
        for request: Request,
        as type: Value.Type = Value.self,
        by decoder: (any BodyDecoder)? = nil,
        delegate: (any TaskDelegate)? = nil
    ) async throws(ClientError) -> Value {
        let decoder = decoder ?? self.configuration.decoder
        var request = self.accepting(request)
        if let accept = decoder.accept, !request.fields.contains(.accept) { request.fields[.accept] = accept }
        let limit = request.options.maximumBodyByteCount ?? self.configuration.maximumBodyByteCount
        var (call, reply) = try await self.exchange(request, delegate)
        return try await call.completing(&reply) { reply async throws(ClientError) in
            let body = try await reply.collect(limit: limit, for: call)
            do {
                if body.isEmpty { return try Self.emptyValue(type) }
                return try await Self.decoded(type, by: decoder, from: body, of: reply.response)
            } catch {
                var failure =
                    (error as? EmptyBody).map { _ in DecodingFailure(.emptyBody, type: "\(type)") }
                    ?? DecodingFailure(error, decoding: type)
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
    ///   - delegate: is asked and told about this call; held until it ends; nobody by default.
    /// - Returns: the response.
    /// - Throws: `ClientError`; `.validationFailed` for a response that is not accepted, `.cancelled` when the task is
    ///   cancelled, which ends the call at once.
    @discardableResult
    public func send(
        _ request: Request,
        delegate: (any TaskDelegate)? = nil
    ) async throws(ClientError) -> Response {
        var (call, reply) = try await self.exchange(self.accepting(request), delegate)
        return try await call.completing(&reply) { reply async throws(ClientError) in
            try await Self.drop(reply.body, of: call)
            return reply.response
        }
    }

    /// How much of a body that nobody wants is read: up to there that costs less than another connection.
    private static let maximumDroppedByteCount = 256 << 10

    /// Reads what is short, so that the connection can be used again.
    private static func drop(_ body: ResponseBody, of call: Call) async throws(ClientError) {
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
            // Nobody wants the body, so that a broken one is no failure; but its length may be a rule.
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

    /// The request with the rule that its status be one of success, where nobody else has any.
    private func accepting(_ request: Request) -> Request {
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
    fileprivate func beginning(_ byteCount: Int) -> Data {
        guard byteCount < self.count else { return self }
        return self.prefix(Swift.max(0, byteCount)).withUnsafeBytes { Data($0) }
    }
}
