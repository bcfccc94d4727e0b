// SPDX-License-Identifier: Apache-2.0
public import TernFoundation
public import TernTransport

/// Decodes the bodies of responses for ``Client/value(for:as:by:delegate:)-19ff7``, and the records and events of streams.
public protocol BodyDecoder: Sendable {
    /// The `Accept` field that `value` sends with requests that do not set it; `nil` leaves the client's default field.
    var accept: String? { get }

    /// Decodes a body, or one record or event of a stream.
    ///
    /// `value` calls this method off the caller's actor, except for types that can only be decoded on that actor. Streams call it
    /// on the caller's actor.
    ///
    /// Decoding cannot be interrupted: time limits and cancellation have no effect until it returns.
    ///
    /// - Parameters:
    ///   - type: The type of the value.
    ///   - body: The whole body, which is not empty; in a stream, one record, or the data of one event, which may be empty.
    ///   - response: The response to which the body belongs.
    /// - Returns: The decoded value.
    /// - Throws: Any error; a `DecodingError` says where decoding failed. The call then throws `ClientError.decodingFailed`.
    func decode<Value: Decodable>(_ type: Value.Type, from body: Data, of response: Response) throws -> Value
}
