// SPDX-License-Identifier: Apache-2.0
public import TernErrors
public import TernRequests
public import TernTransport

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

extension Client {
    /// Fetches a URL and gives the body as it arrives.
    ///
    /// ```swift
    /// let (bytes, response) = try await client.bytes(from: url)
    /// for try await line in bytes.lines { … }
    /// ```
    ///
    /// - Parameters:
    ///   - url: an `http` or `https` URL.
    ///   - delegate: is told about this call; held until the body ends; nobody by default.
    /// - Returns: the body, of which nothing may have arrived yet, and the response, whatever its status.
    /// - Throws: `ClientError`. Cancelling the task ends the call, and later the reading, at once with `.cancelled`.
    public func bytes(
        from url: URL,
        delegate: (any TaskDelegate)? = nil
    ) async throws(ClientError) -> (ResponseBytes, Response) {
        try await self.bytes(for: Request(url: url), delegate: delegate)
    }

    /// Sends a request and gives the body of the response as it arrives.
    ///
    /// - Parameters:
    ///   - request: what to send.
    ///   - delegate: is told about this call; held until the body ends; nobody by default.
    /// - Returns: the body, of which nothing may have arrived yet, and the response, whatever its status.
    /// - Throws: `ClientError`. Cancelling the task ends the call, and later the reading, at once with `.cancelled`.
    public func bytes(
        for request: Request,
        delegate: (any TaskDelegate)? = nil
    ) async throws(ClientError) -> (ResponseBytes, Response) {
        let (call, reply) = try await self.exchange(request, delegate)
        let limit = self.configuration.maximumLineByteCount
        let bytes = ResponseBytes(reply.completing(call), of: call, maximumLineByteCount: limit)
        return (bytes, reply.response)
    }
}
