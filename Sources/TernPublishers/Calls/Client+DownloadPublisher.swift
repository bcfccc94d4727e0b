// SPDX-License-Identifier: Apache-2.0
import Dispatch

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

extension Client {
    /// A publisher of a file with what is behind a URL.
    ///
    /// - Parameters:
    ///   - url: an `http` or `https` URL.
    ///   - destination: where the file shall be; a temporary file by default.
    ///   - delegate: is told about the call of each subscriber, its progress included; nobody by default.
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
    ///   - delegate: is told about the call of each subscriber, its progress included; nobody by default.
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
                // Whoever cancels is not to wait for the disk.
                DispatchQueue.global(qos: .utility).async { try? FileManager.default.removeItem(at: download.url) }
            },
            work: { delegate throws(ClientError) in
                try await self.download(for: request, to: destination, delegate: delegate)
            }
        )
    }
}
