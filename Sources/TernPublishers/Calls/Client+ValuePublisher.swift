// SPDX-License-Identifier: Apache-2.0

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

extension Client {
    /// A publisher of what is behind a URL, decoded.
    ///
    /// - Parameters:
    ///   - url: an `http` or `https` URL.
    ///   - type: what the body is; may be left out where the context says it.
    ///   - decoder: reads the body; that of the client by default.
    ///   - delegate: is asked and told about the call of each subscriber; nobody by default.
    /// - Returns: a publisher of the value; it fails as `value(from:)` throws.
    public func valuePublisher<Value: Decodable & Sendable>(
        from url: URL,
        as type: Value.Type = Value.self,
        by decoder: (any BodyDecoder)? = nil,
        delegate: (any TaskDelegate)? = nil
    ) -> CallPublisher<Value> {
        self.valuePublisher(for: Request(url: url), as: type, by: decoder, delegate: delegate)
    }

    /// A publisher of the body that answers a request, decoded.
    ///
    /// Only a status of success (2xx) is accepted, unless the request or the client has rules of its own.
    ///
    /// - Parameters:
    ///   - request: what to send.
    ///   - type: what the body is; may be left out where the context says it.
    ///   - decoder: reads the body; that of the client by default.
    ///   - delegate: is asked and told about the call of each subscriber; nobody by default.
    /// - Returns: a publisher of the value; it fails as `value(for:)` throws.
    public func valuePublisher<Value: Decodable & Sendable>(
        for request: Request,
        as type: Value.Type = Value.self,
        by decoder: (any BodyDecoder)? = nil,
        delegate: (any TaskDelegate)? = nil
    ) -> CallPublisher<Value> {
        CallPublisher(delegate: delegate) { delegate throws(ClientError) in
            try await self.value(for: request, as: type, by: decoder, delegate: delegate)
        }
    }
}
