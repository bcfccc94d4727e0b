// SPDX-License-Identifier: Apache-2.0

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

extension Client {
    /// A publisher of what is behind a URL, line by line.
    ///
    /// - Parameters:
    ///   - url: an `http` or `https` URL.
    ///   - delegate: is told about the call of each subscriber; nobody by default.
    /// - Returns: a publisher of the lines; see ``linesPublisher(for:delegate:)``.
    public func linesPublisher(from url: URL, delegate: (any TaskDelegate)? = nil) -> BodyPublisher<String> {
        self.linesPublisher(for: Request(url: url), delegate: delegate)
    }

    /// A publisher of the body that answers a request, line by line, as it arrives.
    ///
    /// The lines of a response of any status are published; a request with `validate(.success)` fails instead.
    ///
    /// - Parameters:
    ///   - request: what to send.
    ///   - delegate: is told about the call of each subscriber; nobody by default.
    /// - Returns: a publisher of the lines, without their ends; it fails as `bytes(for:)` and its `lines` throw.
    public func linesPublisher(for request: Request, delegate: (any TaskDelegate)? = nil) -> BodyPublisher<String> {
        BodyPublisher { () throws(ClientError) in try await self.bytes(for: request, delegate: delegate).0.lines }
    }

    /// A publisher of what is behind a URL, in the pieces in which it arrives.
    ///
    /// - Parameters:
    ///   - url: an `http` or `https` URL.
    ///   - delegate: is told about the call of each subscriber; nobody by default.
    /// - Returns: a publisher of the pieces; see ``bytesPublisher(for:delegate:)``.
    public func bytesPublisher(from url: URL, delegate: (any TaskDelegate)? = nil) -> BodyPublisher<Data> {
        self.bytesPublisher(for: Request(url: url), delegate: delegate)
    }

    /// A publisher of the body that answers a request, in the pieces in which it arrives.
    ///
    /// The body of a response of any status is published; a request with `validate(.success)` fails instead.
    ///
    /// - Parameters:
    ///   - request: what to send.
    ///   - delegate: is told about the call of each subscriber; nobody by default.
    /// - Returns: a publisher of the pieces, none of them empty; it fails as `bytes(for:)` and its `chunks` throw.
    public func bytesPublisher(for request: Request, delegate: (any TaskDelegate)? = nil) -> BodyPublisher<Data> {
        BodyPublisher { () throws(ClientError) in try await self.bytes(for: request, delegate: delegate).0.chunks }
    }
}
