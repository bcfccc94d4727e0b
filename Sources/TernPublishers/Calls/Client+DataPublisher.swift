// SPDX-License-Identifier: Apache-2.0

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
    ///   - delegate: is asked and told about the call of each subscriber; nobody by default.
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
    ///   - delegate: is asked and told about the call of each subscriber; nobody by default.
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
