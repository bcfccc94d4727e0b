// SPDX-License-Identifier: Apache-2.0

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

extension Client {
    /// A publisher of the answer to data that is sent as the body of a request.
    ///
    /// - Parameters:
    ///   - request: what to send; its method must take a body, so set it: `Request(.post, url)`.
    ///   - data: the body.
    ///   - delegate: is told about the call of each subscriber, its progress included; nobody by default.
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
    ///   - fileURL: a regular file, which is read anew for each subscriber, and must not change until its call ends.
    ///   - delegate: is told about the call of each subscriber, its progress included; nobody by default.
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
    ///   - delegate: is told about the call of each subscriber, its progress included; nobody by default.
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
