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

extension Optional: EmptyDecodable where Wrapped: Decodable {
    /// `nil`.
    public static var emptyValue: Wrapped? { nil }
}
