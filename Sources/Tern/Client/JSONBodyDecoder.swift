// SPDX-License-Identifier: Apache-2.0
public import TernFoundation
public import TernTransport

/// Decodes bodies as JSON (RFC 8259), whatever the media type of the response.
public struct JSONBodyDecoder: BodyDecoder {
    /// `application/json`.
    public var accept: String? { "application/json" }

    private let decoder: JSONDecoder

    /// Creates a decoder.
    ///
    /// - Parameter decoder: A JSON decoder with the strategies for dates and keys. Do not change it afterwards.
    ///   Defaults to a new `JSONDecoder`.
    public init(_ decoder: JSONDecoder = JSONDecoder()) { self.decoder = decoder }

    /// Decodes a JSON body.
    ///
    /// - Parameters:
    ///   - type: The type of the value.
    ///   - body: The whole body.
    ///   - response: The response. It is not used.
    /// - Returns: The decoded value.
    /// - Throws: `DecodingError` when decoding fails.
    public func decode<Value: Decodable>(_ type: Value.Type, from body: Data, of response: Response) throws -> Value {
        try self.decoder.decode(type, from: body)
    }
}
