// SPDX-License-Identifier: Apache-2.0
public import TernFoundation

extension Client {
    /// Returns a publisher of the values of a stream of JSON records at a URL.
    ///
    /// - Parameters:
    ///   - url: An `http` or `https` URL.
    ///   - type: The type of each value.
    ///   - format: The format of the stream. Defaults to `.automatic`: the media type of the response decides.
    ///   - maximumByteCount: The maximum length of one record in bytes; not negative. Defaults to 16 MiB.
    ///   - decoder: Decodes each record. Defaults to that of the client.
    ///   - delegate: Handles the challenges and events of each subscriber's call. Defaults to `nil`.
    /// - Returns: A publisher of the values; see ``valuesPublisher(for:as:format:maximumByteCount:by:delegate:)``.
    public func valuesPublisher<Value: Decodable & Sendable>(
        from url: URL,
        as type: Value.Type,
        format: RecordStreamFormat = .automatic,
        maximumByteCount: Int = 16 << 20,
        by decoder: (any BodyDecoder)? = nil,
        delegate: (any TaskDelegate)? = nil
    ) -> BodyPublisher<Value> {
        let request = Request(url: url)
        return self.valuesPublisher(
            for: request,
            as: type,
            format: format,
            maximumByteCount: maximumByteCount,
            by: decoder,
            delegate: delegate
        )
    }

    /// Returns a publisher of the values of a response that is a stream of JSON records, as they arrive.
    ///
    /// - Parameters:
    ///   - request: The request to send, with any method and body.
    ///   - type: The type of each value.
    ///   - format: The format of the stream. Defaults to `.automatic`: the media type of the response decides.
    ///   - maximumByteCount: The maximum length of one record in bytes; not negative. Defaults to 16 MiB.
    ///   - decoder: Decodes each record. Defaults to that of the client.
    ///   - delegate: Handles the challenges and events of each subscriber's call. Defaults to `nil`.
    /// - Returns: A publisher of the values. It fails with the errors of `values(for:as:)` and of its sequence.
    public func valuesPublisher<Value: Decodable & Sendable>(
        for request: Request,
        as type: Value.Type,
        format: RecordStreamFormat = .automatic,
        maximumByteCount: Int = 16 << 20,
        by decoder: (any BodyDecoder)? = nil,
        delegate: (any TaskDelegate)? = nil
    ) -> BodyPublisher<Value> {
        precondition(maximumByteCount >= 0, "the maximum length of a record must not be negative")
        return BodyPublisher { () throws(ClientError) in
            try await self.values(
                for: request,
                as: type,
                format: format,
                maximumByteCount: maximumByteCount,
                by: decoder,
                delegate: delegate
            )
        }
    }
}
