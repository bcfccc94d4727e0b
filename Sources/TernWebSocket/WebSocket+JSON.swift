// SPDX-License-Identifier: Apache-2.0
public import TernErrors
public import TernFoundation

extension WebSocket {
    /// Sends a value as JSON, in a text message; see ``send(_:compression:)-(WebSocketMessage,_)``.
    ///
    /// - Parameters:
    ///   - value: The value to send.
    ///   - encoder: The encoder for the value.
    ///   - compression: Whether to compress the message.
    /// - Throws: `ClientError.invalidRequest(.bodyNotEncodable, …)` when the value cannot be encoded; then nothing is sent, and
    ///   the WebSocket stays open. Also throws the errors of ``send(_:compression:)-(WebSocketMessage,_)``.
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

    /// Returns the place of a value that cannot be encoded, but not the value; for another error, returns its type.
    private static func reason(_ error: any Error) -> String {
        guard case EncodingError.invalidValue(let value, let context) = error else {
            return "the encoder of the WebSocket message threw \(type(of: error))"
        }
        let path = CodingPath.text(of: context.codingPath)
        let place = path.isEmpty ? "the value" : "the value at \(path)"
        return "\(place) of the WebSocket message \(RejectedValue.predicate(value))"
    }
}

extension WebSocketMessage {
    /// The maximum number of bytes of a message that an error keeps.
    private static let keptByteCount = 64 << 10

    /// Decodes the message as JSON; the message may be text or binary.
    ///
    /// - Parameters:
    ///   - type: The type of the value, which the compiler may infer.
    ///   - decoder: The decoder for the message.
    /// - Returns: The decoded value.
    /// - Throws: `ClientError.decodingFailed`, with the first 64 KiB of the message.
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
