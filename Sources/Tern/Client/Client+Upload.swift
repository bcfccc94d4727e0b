// SPDX-License-Identifier: Apache-2.0
import HTTPTypes
public import TernErrors
public import TernRequests
public import TernTransport

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

extension Client {
    /// Sends data as the body of a request and gives the whole body of the response.
    ///
    /// - Parameters:
    ///   - request: what to send; its method must take a body, so set it: `Request(.post, url)`.
    ///   - data: the body.
    ///   - delegate: Receives this call's events, progress included. Defaults to `nil`.
    /// - Returns: the body of the response and the response, whatever its status.
    /// - Throws: `ClientError`; `.invalidRequest` for a method without body, or a request that brings a body already.
    ///   Cancelling the task ends the call at once with `.cancelled`.
    public func upload(
        for request: Request,
        from data: Data,
        delegate: (any TaskDelegate)? = nil
    ) async throws(ClientError) -> (Data, Response) {
        try await self.upload(request, .data(data), delegate)
    }

    /// Sends a file as the body of a request and gives the whole body of the response.
    ///
    /// The file is read as it is sent; over a plain connection the system sends it without a copy through memory.
    ///
    /// - Parameters:
    ///   - request: what to send; its method must take a body, so set it: `Request(.put, url)`.
    ///   - fileURL: a regular file, which must not change until the call ends.
    ///   - delegate: Receives this call's events, progress included. Defaults to `nil`.
    /// - Returns: the body of the response and the response, whatever its status.
    /// - Throws: `ClientError`; `.uploadFailed` when the file is missing, cannot be read, or becomes shorter meanwhile.
    ///   Cancelling the task ends the call at once with `.cancelled`.
    public func upload(
        for request: Request,
        fromFile fileURL: URL,
        delegate: (any TaskDelegate)? = nil
    ) async throws(ClientError) -> (Data, Response) {
        try await self.upload(request, .file(fileURL), delegate)
    }

    /// Sends what a sequence gives as the body of a request, and gives the whole body of the response.
    ///
    /// Pieces are asked for as the server takes them. The sequence is read once, so such a request is never repeated.
    ///
    /// - Parameters:
    ///   - request: what to send; its method must take a body, so set it: `Request(.post, url)`.
    ///   - stream: gives the body in pieces; `Data` or arrays of bytes. It is cancelled when the call ends before it.
    ///   - length: how many bytes it gives in all; `nil`, the default, sends them in chunks (RFC 9112 §7.1), which a few
    ///     servers refuse.
    ///   - delegate: Receives this call's events, progress included. Defaults to `nil`.
    /// - Returns: the body of the response and the response, whatever its status.
    /// - Throws: `ClientError`; `.uploadFailed` when the sequence throws or does not give `length` bytes. Cancelling the
    ///   task ends the call at once with `.cancelled`.
    public func upload<Stream: AsyncSequence & Sendable>(
        for request: Request,
        from stream: Stream,
        length: Int64? = nil,
        delegate: (any TaskDelegate)? = nil
    ) async throws(ClientError) -> (Data, Response) where Stream.Element: Sequence<UInt8> {
        try await self.upload(request, .stream(stream, length: length), delegate)
    }

    private func upload(
        _ request: Request,
        _ body: RequestBody,
        _ delegate: (any TaskDelegate)?
    ) async throws(ClientError) -> (Data, Response) {
        let problem: RequestFailure? =
            switch request.method {
            case .get, .head, .trace: .bodyNotAllowed(method: request.method.rawValue)
            default: request.body == nil ? nil : .ambiguousBody
            }
        if let problem {
            let error = ClientError.invalidRequest(problem, ClientError.Context(phase: .prepare))
            throw await self.refusing(error, request, delegate)
        }
        var request = request
        request.body = body
        return try await self.data(for: request, delegate: delegate)
    }
}
