// SPDX-License-Identifier: Apache-2.0
public import TernFoundation

extension Client {
    /// Returns a publisher of the JSON records at a URL; see ``valuesPublisher(for:as:format:maximumByteCount:by:delegate:)``.
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

    /// Returns a publisher of the values of a stream of JSON records, as they arrive, with the parameters of `values(for:as:)`.
    public func valuesPublisher<Value: Decodable & Sendable>(
        for request: Request,
        as type: Value.Type,
        format: RecordStreamFormat = .automatic,
        maximumByteCount: Int = 16 << 20,
        by decoder: (any BodyDecoder)? = nil,
        delegate: (any TaskDelegate)? = nil
    ) -> BodyPublisher<Value> {
        BodyPublisher { () throws(ClientError) in
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
