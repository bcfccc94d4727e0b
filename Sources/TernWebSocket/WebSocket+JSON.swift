// SPDX-License-Identifier: Apache-2.0
public import TernErrors

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

extension WebSocket {
    /// Sends a value as JSON, in a text message; see ``send(_:compression:)-(WebSocketMessage,_)``.
    ///
    /// ```swift
    /// try await socket.send(json: Move(from: "e2", to: "e4"))
    /// ```
    ///
    /// - Parameters:
    ///   - value: The value.
    ///   - encoder: How to write it. Defaults to a `JSONEncoder` as it comes.
    ///   - compression: Whether to compress the message, if that was negotiated. Defaults to what experience suggests.
    /// - Throws: `ClientError.invalidRequest(.bodyNotEncodable, …)` when the value cannot be encoded, which sends nothing and
    ///   leaves the WebSocket open; otherwise as ``send(_:compression:)-(WebSocketMessage,_)``.
    public func send(
        json value: some Encodable,
        encoder: JSONEncoder = JSONEncoder(),
        compression: MessageCompression = .automatic
    ) async throws(ClientError) {
        let text: String
        do {
            text = String(decoding: try encoder.encode(value), as: UTF8.self)
        } catch {
            throw .invalidRequest(.bodyNotEncodable(Self.reason(error)), self.driver.context())
        }
        try await self.driver.send(.text(text), compression)
    }

    /// Where a value has no form, without anything of it; of an unknown error only the type.
    private static func reason(_ error: any Error) -> String {
        guard case EncodingError.invalidValue(_, let context) = error else { return "\(type(of: error))" }
        let path = CodingPath.text(of: context.codingPath)
        return path.isEmpty ? "a value has no form" : "a value has no form (at \(path))"
    }
}

extension WebSocketMessage {
    /// How much of a message a failure keeps, in bytes.
    private static let keptByteCount = 64 << 10

    /// Decodes the message as JSON, whether it is text or bytes.
    ///
    /// ```swift
    /// for try await message in socket {
    ///     let move = try message.decoded(as: Move.self)
    ///     show(move)
    /// }
    /// ```
    ///
    /// - Parameters:
    ///   - type: The type of the value; may be left out where the context says it.
    ///   - decoder: How to read it. Defaults to a `JSONDecoder` as it comes.
    /// - Returns: The value.
    /// - Throws: `ClientError.decodingFailed` when the message is not such a value, with the first 64 KiB of it.
    public func decoded<Value: Decodable>(
        as type: Value.Type = Value.self,
        by decoder: JSONDecoder = JSONDecoder()
    ) throws(ClientError) -> Value {
        let data =
            switch self {
            case .text(let text): Data(text.utf8)
            case .binary(let data): data
            }
        do {
            return try decoder.decode(type, from: data)
        } catch {
            var failure = DecodingFailure(error, decoding: type)
            failure.body = Data(data.prefix(Self.keptByteCount))
            failure.isBodyComplete = failure.body.count == data.count
            throw .decodingFailed(failure, ClientError.Context(phase: .messages))
        }
    }
}
