// SPDX-License-Identifier: Apache-2.0
import HTTPTypes
public import TernErrors
public import TernFoundation
public import TernRequests
import TernTransport

extension Client {
    /// Fetches a URL and returns the values of JSON records, as ``values(for:as:format:maximumByteCount:by:delegate:)`` does.
    public func values<Value: Decodable>(
        from url: URL,
        as type: Value.Type,
        format: RecordStreamFormat = .automatic,
        maximumByteCount: Int = 16 << 20,
        by decoder: (any BodyDecoder)? = nil,
        delegate: (any TaskDelegate)? = nil
    ) async throws(ClientError) -> DecodedRecords<Value> {
        try await self.values(
            for: Request(url: url),
            as: type,
            format: format,
            maximumByteCount: maximumByteCount,
            by: decoder,
            delegate: delegate
        )
    }

    /// Sends a request and returns the values of a stream of JSON records as they arrive.
    ///
    /// ```swift
    /// for try await change in try await client.values(for: request, as: Change.self) {
    ///     apply(change)
    /// }
    /// ```
    ///
    /// The call accepts only a successful status (2xx). If the request or the client has validation rules, these decide instead.
    /// The request may send a stream of records, too, with `Request.body(jsonLines:encoder:)`, while the client reads the
    /// response.
    ///
    /// - Parameters:
    ///   - request: The request to send, with any method and body.
    ///   - type: The type of each value.
    ///   - format: The format of the stream. By default, the media type of the response decides.
    ///   - maximumByteCount: The maximum length of one record in bytes. Beyond it, the stream ends with
    ///     `ClientError.valueTooLong`.
    ///   - decoder: Decodes each record. Defaults to the client's ``Configuration/decoder``.
    ///   - delegate: Handles this call's challenges and events. Retained at least until the stream ends or is released.
    /// - Returns: The values, with the response in ``DecodedRecords/response``.
    /// - Throws: `ClientError`, as ``data(for:delegate:)`` does, except `.bodyTooLarge`. Cancelling the task that later reads
    ///   the values ends the reading.
    public func values<Value: Decodable>(
        for request: Request,
        as type: Value.Type,
        format: RecordStreamFormat = .automatic,
        maximumByteCount: Int = 16 << 20,
        by decoder: (any BodyDecoder)? = nil,
        delegate: (any TaskDelegate)? = nil
    ) async throws(ClientError) -> DecodedRecords<Value> {
        var request = self.accepting(request)
        if !request.fields.contains(.accept) { request.fields[.accept] = format.accept }
        var (call, reply) = try await self.exchange(request, delegate)
        reply.body = reply.body.onlyOnce
        return DecodedRecords(
            body: SharedBody(reply.completing(call), of: call),
            format: format.format(of: reply.response),
            maximumRecordByteCount: maximumByteCount,
            decoder: decoder ?? self.configuration.decoder,
            keptByteCount: self.configuration.maximumErrorBodyByteCount
        )
    }
}
