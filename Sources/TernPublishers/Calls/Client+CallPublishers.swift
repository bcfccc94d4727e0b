// SPDX-License-Identifier: Apache-2.0
import Dispatch
public import TernFoundation

extension Client {
    /// Returns a publisher of the whole body at a URL; see ``dataPublisher(for:delegate:)``.
    public func dataPublisher(
        from url: URL,
        delegate: (any TaskDelegate)? = nil
    ) -> CallPublisher<(data: Data, response: Response)> {
        self.dataPublisher(for: Request(url: url), delegate: delegate)
    }

    /// Returns a publisher of the whole body of a response with any status that the validation rules accept.
    public func dataPublisher(
        for request: Request,
        delegate: (any TaskDelegate)? = nil
    ) -> CallPublisher<(data: Data, response: Response)> {
        CallPublisher(delegate: delegate) { delegate throws(ClientError) in
            try await self.data(for: request, delegate: delegate)
        }
    }
}

extension Client {
    /// Returns a publisher of the decoded body at a URL; see ``valuePublisher(for:as:by:delegate:)``.
    public func valuePublisher<Value: Decodable & Sendable>(
        from url: URL,
        as type: Value.Type = Value.self,
        by decoder: (any BodyDecoder)? = nil,
        delegate: (any TaskDelegate)? = nil
    ) -> CallPublisher<Value> {
        self.valuePublisher(for: Request(url: url), as: type, by: decoder, delegate: delegate)
    }

    /// Returns a publisher of the decoded body of a response, which must be a success (2xx) unless there are validation rules.
    public func valuePublisher<Value: Decodable & Sendable>(
        for request: Request,
        as type: Value.Type = Value.self,
        by decoder: (any BodyDecoder)? = nil,
        delegate: (any TaskDelegate)? = nil
    ) -> CallPublisher<Value> {
        CallPublisher(delegate: delegate) { delegate throws(ClientError) in
            try await self.value(for: request, as: type, by: decoder, delegate: delegate)
        }
    }
}

extension Client {
    /// Returns a publisher that downloads the body at a URL into a file; see ``downloadPublisher(for:to:delegate:)``.
    public func downloadPublisher(
        from url: URL,
        to destination: URL? = nil,
        delegate: (any TaskDelegate)? = nil
    ) -> CallPublisher<(url: URL, response: Response)> {
        self.downloadPublisher(for: Request(url: url), to: destination, delegate: delegate)
    }

    /// Returns a publisher that downloads the body of a response, with any status that the validation rules accept, into a file.
    ///
    /// The file is complete before the subscriber gets its URL. From then on, the subscriber must move or delete a temporary file,
    /// even if the subscription is cancelled later. If the call fails or is cancelled before, the client deletes a temporary file,
    /// but not a complete file at `destination`.
    ///
    /// - Parameters:
    ///   - request: The request to send.
    ///   - destination: A file URL in an existing folder, where the body of a successful response (2xx) replaces an existing
    ///     file, also that of another subscriber; `nil` for a temporary file. Other responses always go to a temporary file.
    ///   - delegate: Receives the events of each subscriber's call, progress included.
    /// - Returns: A publisher of the file's URL and the response.
    /// - Important: "The subscriber" is the first operator of a chain. A later step may drop the URL when the chain is cancelled,
    ///   and the temporary file then stays: for example, with `receive(on:)`, `buffer` and `asyncStream`, and with a sink that is
    ///   cancelled just when it is called. Move the file in the first step, or set a destination.
    public func downloadPublisher(
        for request: Request,
        to destination: URL? = nil,
        delegate: (any TaskDelegate)? = nil
    ) -> CallPublisher<(url: URL, response: Response)> {
        CallPublisher(
            delegate: delegate,
            discard: { download in
                // The body of an unsuccessful response never goes to the destination, so this file is temporary, too.
                guard destination == nil || !download.response.isSuccess else { return }
                // Cancelling must not wait for the disk.
                DispatchQueue.global(qos: .utility).async { try? FileManager.default.removeItem(at: download.url) }
            },
            work: { delegate throws(ClientError) in
                try await self.download(for: request, to: destination, delegate: delegate)
            }
        )
    }
}

extension Client {
    /// Returns a publisher of the response to a request with data as its body; the method must allow a body: `Request(.post, url)`.
    public func uploadPublisher(
        for request: Request,
        from data: Data,
        delegate: (any TaskDelegate)? = nil
    ) -> CallPublisher<(data: Data, response: Response)> {
        CallPublisher(delegate: delegate) { delegate throws(ClientError) in
            try await self.upload(for: request, from: data, delegate: delegate)
        }
    }

    /// Returns a publisher of the response to a request with a regular file as its body, which each subscriber's call reads.
    public func uploadPublisher(
        for request: Request,
        fromFile fileURL: URL,
        delegate: (any TaskDelegate)? = nil
    ) -> CallPublisher<(data: Data, response: Response)> {
        CallPublisher(delegate: delegate) { delegate throws(ClientError) in
            try await self.upload(for: request, fromFile: fileURL, delegate: delegate)
        }
    }

    /// Returns a publisher of the response to a request with a sequence as its body.
    ///
    /// Each subscriber's call iterates over the sequence; one that can be read only once serves only one subscriber.
    public func uploadPublisher<Stream: AsyncSequence & Sendable>(
        for request: Request,
        from stream: Stream,
        length: Int64? = nil,
        delegate: (any TaskDelegate)? = nil
    ) -> CallPublisher<(data: Data, response: Response)> where Stream.Element: Sequence<UInt8> {
        CallPublisher(delegate: delegate) { delegate throws(ClientError) in
            try await self.upload(for: request, from: stream, length: length, delegate: delegate)
        }
    }
}
