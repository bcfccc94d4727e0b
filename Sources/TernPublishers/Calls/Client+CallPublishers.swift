// SPDX-License-Identifier: Apache-2.0
import Dispatch

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

extension Client {
    /// A publisher of the whole body behind a URL.
    ///
    /// - Parameters:
    ///   - url: an `http` or `https` URL.
    ///   - delegate: Handles the challenges and events of each subscriber's call. Defaults to `nil`.
    /// - Returns: a publisher of the body and the response, whatever its status; it fails as `data(for:)` throws.
    public func dataPublisher(
        from url: URL,
        delegate: (any TaskDelegate)? = nil
    ) -> CallPublisher<(data: Data, response: Response)> {
        self.dataPublisher(for: Request(url: url), delegate: delegate)
    }

    /// A publisher of the whole body that answers a request.
    ///
    /// - Parameters:
    ///   - request: what to send.
    ///   - delegate: Handles the challenges and events of each subscriber's call. Defaults to `nil`.
    /// - Returns: a publisher of the body and the response, whatever its status; it fails as `data(for:)` throws.
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
    /// A publisher of what is behind a URL, decoded.
    ///
    /// - Parameters:
    ///   - url: an `http` or `https` URL.
    ///   - type: what the body is; may be left out where the context says it.
    ///   - decoder: reads the body; that of the client by default.
    ///   - delegate: Handles the challenges and events of each subscriber's call. Defaults to `nil`.
    /// - Returns: a publisher of the value; it fails as `value(from:)` throws.
    public func valuePublisher<Value: Decodable & Sendable>(
        from url: URL,
        as type: Value.Type = Value.self,
        by decoder: (any BodyDecoder)? = nil,
        delegate: (any TaskDelegate)? = nil
    ) -> CallPublisher<Value> {
        self.valuePublisher(for: Request(url: url), as: type, by: decoder, delegate: delegate)
    }

    /// A publisher of the body that answers a request, decoded.
    ///
    /// Only a status of success (2xx) is accepted, unless the request or the client has rules of its own.
    ///
    /// - Parameters:
    ///   - request: what to send.
    ///   - type: what the body is; may be left out where the context says it.
    ///   - decoder: reads the body; that of the client by default.
    ///   - delegate: Handles the challenges and events of each subscriber's call. Defaults to `nil`.
    /// - Returns: a publisher of the value; it fails as `value(for:)` throws.
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
    /// A publisher of a file with what is behind a URL.
    ///
    /// - Parameters:
    ///   - url: an `http` or `https` URL.
    ///   - destination: The place of the file. Defaults to `nil`, a temporary file.
    ///   - delegate: Receives the events of each subscriber's call, progress included. Defaults to `nil`.
    /// - Returns: a publisher of where the body is, and the response; see ``downloadPublisher(for:to:delegate:)``.
    public func downloadPublisher(
        from url: URL,
        to destination: URL? = nil,
        delegate: (any TaskDelegate)? = nil
    ) -> CallPublisher<(url: URL, response: Response)> {
        self.downloadPublisher(for: Request(url: url), to: destination, delegate: delegate)
    }

    /// A publisher of a file with the body that answers a request.
    ///
    /// However long the body is, a few buffers of it are in memory.
    ///
    /// The file is complete and in its place before the subscriber is given its URL. From then on it is the subscriber's,
    /// who moves or deletes it: nothing else deletes it, also when the subscription is cancelled later. A subscriber that
    /// is not given the URL, because the call failed or was cancelled before, finds no file: a temporary one is deleted,
    /// even if it was complete already. At `destination`, which the caller knows, a complete file stays.
    ///
    /// - Parameters:
    ///   - request: what to send.
    ///   - destination: a file URL in a folder that exists, where the body of a successful response (2xx) replaces what is
    ///     there; a temporary file by default, and for other responses.
    ///   - delegate: Receives the events of each subscriber's call, progress included. Defaults to `nil`.
    /// - Returns: a publisher of where the body is, and the response, whatever its status; it fails as `download(for:)`
    ///   throws. Several subscribers with one destination replace each other's file.
    /// - Important: the subscriber is the one that is subscribed to this publisher itself, so the first operator of a chain.
    ///   A URL that an operator drops because the chain was cancelled, or that a stream has kept, names a temporary file
    ///   that nobody deletes: `receive(on:)`, `buffer` and `asyncStream` do so, and a sink that is cancelled just when it is
    ///   called. Take the file in the first step, or give a destination.
    public func downloadPublisher(
        for request: Request,
        to destination: URL? = nil,
        delegate: (any TaskDelegate)? = nil
    ) -> CallPublisher<(url: URL, response: Response)> {
        CallPublisher(
            delegate: delegate,
            discard: { download in
                // Another status than success leaves the destination alone, so that this is a temporary file, too.
                guard destination == nil || !download.response.isSuccess else { return }
                // Cancelling does not wait for the disk.
                DispatchQueue.global(qos: .utility).async { try? FileManager.default.removeItem(at: download.url) }
            },
            work: { delegate throws(ClientError) in
                try await self.download(for: request, to: destination, delegate: delegate)
            }
        )
    }
}

extension Client {
    /// A publisher of the answer to data that is sent as the body of a request.
    ///
    /// - Parameters:
    ///   - request: what to send; its method must take a body, so set it: `Request(.post, url)`.
    ///   - data: the body.
    ///   - delegate: Receives the events of each subscriber's call, progress included. Defaults to `nil`.
    /// - Returns: a publisher of the body of the response and the response, whatever its status; it fails as
    ///   `upload(for:from:)` throws.
    public func uploadPublisher(
        for request: Request,
        from data: Data,
        delegate: (any TaskDelegate)? = nil
    ) -> CallPublisher<(data: Data, response: Response)> {
        CallPublisher(delegate: delegate) { delegate throws(ClientError) in
            try await self.upload(for: request, from: data, delegate: delegate)
        }
    }

    /// A publisher of the answer to a file that is sent as the body of a request.
    ///
    /// - Parameters:
    ///   - request: what to send; its method must take a body, so set it: `Request(.put, url)`.
    ///   - fileURL: A regular file, which is read again for each subscriber, and must not change until its call ends.
    ///   - delegate: Receives the events of each subscriber's call, progress included. Defaults to `nil`.
    /// - Returns: a publisher of the body of the response and the response, whatever its status; it fails as
    ///   `upload(for:fromFile:)` throws.
    public func uploadPublisher(
        for request: Request,
        fromFile fileURL: URL,
        delegate: (any TaskDelegate)? = nil
    ) -> CallPublisher<(data: Data, response: Response)> {
        CallPublisher(delegate: delegate) { delegate throws(ClientError) in
            try await self.upload(for: request, fromFile: fileURL, delegate: delegate)
        }
    }

    /// A publisher of the answer to what a sequence gives, sent as the body of a request.
    ///
    /// - Parameters:
    ///   - request: what to send; its method must take a body, so set it: `Request(.post, url)`.
    ///   - stream: gives the body in pieces; `Data` or arrays of bytes. It is iterated for each subscriber: one that can be
    ///     read only once, such as an `AsyncStream`, serves one subscriber.
    ///   - length: how many bytes it gives in all; `nil`, the default, sends them in chunks (RFC 9112 §7.1).
    ///   - delegate: Receives the events of each subscriber's call, progress included. Defaults to `nil`.
    /// - Returns: a publisher of the body of the response and the response, whatever its status; it fails as
    ///   `upload(for:from:length:)` throws.
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
