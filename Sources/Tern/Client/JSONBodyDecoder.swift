// SPDX-License-Identifier: Apache-2.0
public import TernFoundation
public import TernTransport

/// Decodes bodies as JSON (RFC 8259), whatever the media type of the response.
public struct JSONBodyDecoder: BodyDecoder {
    /// `application/json`.
    public var accept: String? { "application/json" }

    private let decoder: JSONDecoder

    /// Creates a decoder from a JSON decoder, which you must not change afterwards.
    public init(_ decoder: JSONDecoder = JSONDecoder()) { self.decoder = decoder }

    public func decode<Value: Decodable>(_ type: Value.Type, from body: Data, of response: Response) throws -> Value {
        try self.decoder.decode(type, from: body)
    }
}
