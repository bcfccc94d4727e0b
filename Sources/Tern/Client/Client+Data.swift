// SPDX-License-Identifier: Apache-2.0
import HTTPTypes
import NIOCore
import NIOFoundationEssentialsCompat
public import TernErrors
public import TernFoundation
public import TernRequests
public import TernTransport

extension Client {
    /// Fetches a URL and returns the whole body, as ``data(for:delegate:)`` does for a request.
    public func data(
        from url: URL,
        delegate: (any TaskDelegate)? = nil
    ) async throws(ClientError) -> (Data, Response) {
        try await self.data(for: Request(url: url), delegate: delegate)
    }

    /// Sends a request and returns the whole body of the response.
    ///
    /// The call returns any status that the validation rules accept. The client retains the delegate until the call ends.
    /// Cancelling the task ends the call; see ``Client``.
    ///
    /// - Parameters:
    ///   - request: The request to send.
    ///   - delegate: Handles this call's challenges and events, before the client's own delegate.
    /// - Returns: The body and the response.
    /// - Throws: `ClientError`, such as `.bodyTooLarge` when the body exceeds the limit of the request or, without one,
    ///   ``Configuration/maximumBodyByteCount``; `.validationFailed` when a validation rule rejects the response; `.cancelled`
    ///   when the task is cancelled.
    public func data(
        for request: Request,
        delegate: (any TaskDelegate)? = nil
    ) async throws(ClientError) -> (Data, Response) {
        let (call, reply) = try await self.exchange(request, delegate)
        let limit = request.options.maximumBodyByteCount ?? self.configuration.maximumBodyByteCount
        // Without a delegation, there is no progress to report, so skip `completing`, which reports it.
        guard call.delegation != nil else { return (try await reply.collect(limit: limit, for: call), reply.response) }
        let data = try await call.completing(reply) { reply async throws(ClientError) in
            try await reply.collect(limit: limit, for: call)
        }
        return (data, reply.response)
    }
}

extension HTTPReply {
    /// The number of bytes to gather before the client resumes the task that reads a body.
    static let gatheredByteCount = 256 << 10

    /// Returns the whole body; pieces go straight to the result, so that a body that arrives in pieces is in memory only once.
    func collect(limit: Int, for call: HTTPCall) async throws(ClientError) -> Data {
        let limit = max(0, limit)
        if let length = self.body.length, length > limit { throw self.tooLarge(limit, call) }
        if let whole = self.body.whole {
            return whole.getData(at: whole.readerIndex, length: whole.readableBytes, byteTransferStrategy: .copy)
                ?? Data()
        }
        var collector = BodyCollector(announced: self.body.length, limit: limit)
        var reader = self.body.makeReader()
        while let bytes = try await reader.next(atLeast: Self.gatheredByteCount) {
            if collector.byteCount + bytes.readableBytes > limit { throw self.tooLarge(limit, call) }
            collector.append(bytes)
        }
        return collector.finish()
    }

    func tooLarge(_ limit: Int, _ call: HTTPCall) -> ClientError {
        .bodyTooLarge(limit: limit, call.context(.body, response: self.response.httpResponse))
    }
}
