// SPDX-License-Identifier: Apache-2.0
public import TernTransport

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

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
