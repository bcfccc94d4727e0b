// SPDX-License-Identifier: Apache-2.0
import HTTPTypes
public import TernErrors
public import TernFoundation
public import TernRequests
public import TernTransport

extension Client {
    /// Sends data as the body of a request and returns the whole body of the response.
    ///
    /// Cancellation and the delegate work as in ``data(for:delegate:)``.
    ///
    /// - Throws: `ClientError`, as ``data(for:delegate:)`` does, and `.invalidRequest` when the method allows no body, or the
    ///   request already has one.
    public func upload(
        for request: Request,
        from data: Data,
        delegate: (any TaskDelegate)? = nil
    ) async throws(ClientError) -> (Data, Response) {
        try await self.upload(request, .data(data), delegate)
    }

    /// Sends a file as the body of a request and returns the whole body of the response.
    ///
    /// The client reads the file piece by piece.
    ///
    /// - Parameters:
    ///   - request: The request to send. Its method must allow a body, as in `Request(.put, url)`.
    ///   - fileURL: A regular file. It must not change until the call ends.
    ///   - delegate: Handles this call's challenges and events, progress included.
    /// - Returns: The body of the response, and the response.
    /// - Throws: `ClientError`, as ``upload(for:from:delegate:)`` does, and `.uploadFailed` when the file is missing, is not a
    ///   regular file, cannot be read, or, for example, becomes shorter during the upload.
    public func upload(
        for request: Request,
        fromFile fileURL: URL,
        delegate: (any TaskDelegate)? = nil
    ) async throws(ClientError) -> (Data, Response) {
        try await self.upload(request, .file(fileURL), delegate)
    }

    /// Sends the elements of a sequence as the body of a request and returns the whole body of the response.
    ///
    /// The client asks for the next element when its send buffer has room, so a slow server slows the sequence down (not over
    /// `URLSession` on Linux). The client reads the sequence once. If a redirect, a challenge or a retry needs the body again, the
    /// client asks the delegate for a new one; see ``TaskDelegate/task(_:needsNewBodyFor:)``.
    ///
    /// - Parameters:
    ///   - request: The request to send. Its method must allow a body, as in `Request(.post, url)`.
    ///   - stream: A sequence of the pieces of the body, as `Data` or arrays of bytes. If the call ends first, the client cancels
    ///     the task that iterates over it.
    ///   - length: The length of the whole body in bytes. Without it, the client sends the body in chunks over HTTP/1.1 (RFC 9112
    ///     §7.1), which a few servers refuse.
    ///   - delegate: Handles this call's challenges and events, progress included.
    /// - Returns: The body of the response, and the response.
    /// - Throws: `ClientError`, as ``upload(for:from:delegate:)`` does, and `.uploadFailed` when the sequence throws, has more or
    ///   fewer bytes than `length`, or must be sent again after a redirect or a challenge and no delegate has a new body.
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
        if let problem = Self.problem(of: request) {
            let error = ClientError.invalidRequest(problem, ClientError.Context(phase: .prepare))
            throw await self.refusing(error, request, delegate)
        }
        var request = request
        request.body = body
        return try await self.data(for: request, delegate: delegate)
    }

    static func problem(of request: Request) -> RequestFailure? {
        switch request.method {
        case .get, .head, .trace: .bodyNotAllowed(method: request.method.rawValue)
        default: request.body == nil ? nil : .ambiguousBody
        }
    }
}
