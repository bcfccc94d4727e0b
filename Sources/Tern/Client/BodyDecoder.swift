// SPDX-License-Identifier: Apache-2.0
public import TernTransport

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// Makes values of bodies, for ``Client/value(for:as:by:delegate:)-19ff7``.
public protocol BodyDecoder: Sendable {
    /// The value of the `Accept` field that a request gets which has none; `nil` leaves it to the client.
    var accept: String? { get }

    /// Reads a body.
    ///
    /// It is called away from the actor of the caller, and cannot be interrupted: neither the end of the call's time nor
    /// cancellation stops it.
    ///
    /// - Parameters:
    ///   - type: what is wanted.
    ///   - body: the whole body, never empty.
    ///   - response: its head.
    /// - Returns: the value.
    /// - Throws: anything; a `DecodingError` says where. The call then throws `ClientError.decodingFailed`.
    func decode<Value: Decodable>(_ type: Value.Type, from body: Data, of response: Response) throws -> Value
}

/// Makes values of JSON (RFC 8259), whatever media type the response has.
public struct JSONBodyDecoder: BodyDecoder {
    /// `application/json`.
    public var accept: String? { "application/json" }

    private let decoder: JSONDecoder

    /// Creates a decoder.
    ///
    /// - Parameter decoder: how to read, with its strategies for dates and names; as it comes by default. It must not be
    ///   changed any more.
    public init(_ decoder: JSONDecoder = JSONDecoder()) { self.decoder = decoder }

    /// Reads a body as JSON.
    ///
    /// - Parameters:
    ///   - type: what is wanted.
    ///   - body: the whole body.
    ///   - response: its head, which plays no part.
    /// - Returns: the value.
    /// - Throws: `DecodingError`.
    public func decode<Value: Decodable>(_ type: Value.Type, from body: Data, of response: Response) throws -> Value {
        try self.decoder.decode(type, from: body)
    }
}

/// A type one of whose values stands for a body that is empty, as after 204 (No Content).
public protocol EmptyDecodable: Decodable {
    /// The value that an empty body means.
    static var emptyValue: Self { get }
}

extension Optional: EmptyDecodable where Wrapped: Decodable {
    /// `nil`.
    public static var emptyValue: Wrapped? { nil }
}
