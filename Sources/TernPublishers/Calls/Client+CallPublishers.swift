// SPDX-License-Identifier: Apache-2.0
import Dispatch
public import TernFoundation

extension Client {
    /// Returns a publisher of the whole body at a URL.
    ///
    /// - Parameters:
    ///   - url: An `http` or `https` URL.
    ///   - delegate: Handles the challenges and events of each subscriber's call. Defaults to `nil`.
    /// - Returns: A publisher of the body and the response, whatever the status. The publisher fails with the errors of
    ///   `data(for:)`.
    public func dataPublisher(
        from url: URL,
        delegate: (any TaskDelegate)? = nil
    ) -> CallPublisher<(data: Data, response: Response)> {
        self.dataPublisher(for: Request(url: url), delegate: delegate)
    }

    /// Returns a publisher of the whole body of the response to a request.
    ///
    /// - Parameters:
    ///   - request: The request to send.
    ///   - delegate: Handles the challenges and events of each subscriber's call. Defaults to `nil`.
    /// - Returns: A publisher of the body and the response, whatever the status. The publisher fails with the errors of
    ///   `data(for:)`.
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
    /// Returns a publisher of the decoded body at a URL.
    ///
    /// - Parameters:
    ///   - url: An `http` or `https` URL.
    ///   - type: The type of the value. Can be omitted if the context determines it.
    ///   - decoder: The decoder for the body. Defaults to that of the client.
    ///   - delegate: Handles the challenges and events of each subscriber's call. Defaults to `nil`.
    /// - Returns: A publisher of the value. The publisher fails with the errors of `value(from:)`.
    public func valuePublisher<Value: Decodable & Sendable>(
        from url: URL,
        as type: Value.Type = Value.self,
        by decoder: (any BodyDecoder)? = nil,
        delegate: (any TaskDelegate)? = nil
    ) -> CallPublisher<Value> {
        self.valuePublisher(for: Request(url: url), as: type, by: decoder, delegate: delegate)
    }

    /// Returns a publisher of the decoded body of the response to a request.
    ///
    /// If the request and the client have no validation rules, only a success status (2xx) is accepted.
    ///
    /// - Parameters:
    ///   - request: The request to send.
    ///   - type: The type of the value. Can be omitted if the context determines it.
    ///   - decoder: The decoder for the body. Defaults to that of the client.
    ///   - delegate: Handles the challenges and events of each subscriber's call. Defaults to `nil`.
    /// - Returns: A publisher of the value. The publisher fails with the errors of `value(for:)`.
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
    /// Returns a publisher that downloads the body at a URL into a file.
    ///
    /// - Parameters:
    ///   - url: An `http` or `https` URL.
    ///   - destination: The file URL to download to. Defaults to `nil`, which uses a temporary file.
    ///   - delegate: Receives the events of each subscriber's call, progress included. Defaults to `nil`.
    /// - Returns: A publisher of the file's URL and the response; see ``downloadPublisher(for:to:delegate:)``.
    public func downloadPublisher(
        from url: URL,
        to destination: URL? = nil,
        delegate: (any TaskDelegate)? = nil
    ) -> CallPublisher<(url: URL, response: Response)> {
        self.downloadPublisher(for: Request(url: url), to: destination, delegate: delegate)
    }

    /// Returns a publisher that downloads the body of the response to a request into a file.
    ///
    /// The client keeps only a few buffers of the body in memory, however long the body is.
    ///
    /// The file is complete and in place before the subscriber gets its URL. From then on, the file belongs to the
    /// subscriber, which must move or delete it; the client does not delete it, even if the subscription is cancelled
    /// later. If the call fails or is cancelled before the subscriber gets the URL, the client deletes a temporary
    /// file, even a complete one. A complete file at `destination` stays, because the caller knows where it is.
    ///
    /// - Parameters:
    ///   - request: The request to send.
    ///   - destination: A file URL in an existing folder, where the body of a successful response (2xx) replaces an
    ///     existing file. Other responses go to a temporary file. Defaults to `nil`, a temporary file.
    ///   - delegate: Receives the events of each subscriber's call, progress included. Defaults to `nil`.
    /// - Returns: A publisher of the file's URL and the response, whatever the status. The publisher fails with the
    ///   errors of `download(for:)`. Several subscribers with one destination replace each other's file.
    /// - Important: "The subscriber" is the one that subscribes to this publisher directly: the first operator of a
    ///   chain. A later step may drop the URL, or keep it unread, when the chain is cancelled; the temporary file then
    ///   stays. This can happen with `receive(on:)`, `buffer` and `asyncStream`, and with a sink that is cancelled just
    ///   when it is called. Move the file in the first step, or set a destination.
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
    /// Returns a publisher of the response to a request with data as its body.
    ///
    /// - Parameters:
    ///   - request: The request to send. Its method must allow a body, so set it: `Request(.post, url)`.
    ///   - data: The body.
    ///   - delegate: Receives the events of each subscriber's call, progress included. Defaults to `nil`.
    /// - Returns: A publisher of the response body and the response, whatever the status. The publisher fails with the
    ///   errors of `upload(for:from:)`.
    public func uploadPublisher(
        for request: Request,
        from data: Data,
        delegate: (any TaskDelegate)? = nil
    ) -> CallPublisher<(data: Data, response: Response)> {
        CallPublisher(delegate: delegate) { delegate throws(ClientError) in
            try await self.upload(for: request, from: data, delegate: delegate)
        }
    }

    /// Returns a publisher of the response to a request with a file as its body.
    ///
    /// - Parameters:
    ///   - request: The request to send. Its method must allow a body, so set it: `Request(.put, url)`.
    ///   - fileURL: A regular file. Each subscriber's call reads it again; the file must not change during such a call.
    ///   - delegate: Receives the events of each subscriber's call, progress included. Defaults to `nil`.
    /// - Returns: A publisher of the response body and the response, whatever the status. The publisher fails with the
    ///   errors of `upload(for:fromFile:)`.
    public func uploadPublisher(
        for request: Request,
        fromFile fileURL: URL,
        delegate: (any TaskDelegate)? = nil
    ) -> CallPublisher<(data: Data, response: Response)> {
        CallPublisher(delegate: delegate) { delegate throws(ClientError) in
            try await self.upload(for: request, fromFile: fileURL, delegate: delegate)
        }
    }

    /// Returns a publisher of the response to a request with an asynchronous sequence as its body.
    ///
    /// - Parameters:
    ///   - request: The request to send. Its method must allow a body, so set it: `Request(.post, url)`.
    ///   - stream: The body, in pieces of `Data` or arrays of bytes. Each subscriber's call iterates over the sequence.
    ///     A sequence that can be read only once, such as an `AsyncStream`, serves only one subscriber.
    ///   - length: The length of the body, in bytes. Defaults to `nil`: over HTTP/1.1, the client then sends the body
    ///     in chunks (RFC 9112 §7.1).
    ///   - delegate: Receives the events of each subscriber's call, progress included. Defaults to `nil`.
    /// - Returns: A publisher of the response body and the response, whatever the status. The publisher fails with the
    ///   errors of `upload(for:from:length:)`.
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
