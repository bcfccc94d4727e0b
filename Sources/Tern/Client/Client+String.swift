// SPDX-License-Identifier: Apache-2.0
public import TernErrors
public import TernFoundation
public import TernRequests
import TernTransport

extension Client {
    /// Fetches a URL and returns the body as text, as ``string(for:delegate:)`` does for a request.
    public func string(
        from url: URL,
        delegate: (any TaskDelegate)? = nil
    ) async throws(ClientError) -> String {
        try await self.string(for: Request(url: url), delegate: delegate)
    }

    /// Sends a request and returns the body of the response as text.
    ///
    /// The call accepts only a successful status (2xx), because an error page is not the requested text. If the request or the
    /// client has validation rules, these decide instead. To get the response as well, or the body of any status, use
    /// ``data(for:delegate:)``.
    ///
    /// A byte order mark, or else the `charset` of `Content-Type`, chooses the encoding: UTF-8, which is the default, UTF-16, or
    /// windows-1252, also for ISO 8859-1 and ASCII. Malformed bytes become U+FFFD.
    ///
    /// - Throws: `ClientError`, as ``data(for:delegate:)`` does, and `.decodingFailed`, with the beginning of the body, when there
    ///   is no byte order mark, and the charset is not supported.
    public func string(
        for request: Request,
        delegate: (any TaskDelegate)? = nil
    ) async throws(ClientError) -> String {
        let limit = request.options.maximumBodyByteCount ?? self.configuration.maximumBodyByteCount
        let (call, reply) = try await self.exchange(self.accepting(request), delegate)
        return try await call.completing(reply) { reply async throws(ClientError) in
            let body = try await reply.collect(limit: limit, for: call)
            do throws(BodyText.UnknownCharset) {
                return try BodyText.decoded(body, of: reply.response)
            } catch {
                var failure = DecodingFailure(error, decoding: String.self)
                failure.reason = .other(type: "UnknownCharset(\(error.name))")
                failure.body = body.beginning(self.configuration.maximumErrorBodyByteCount)
                failure.isBodyComplete = failure.body.count == body.count
                throw .decodingFailed(failure, call.context(.decode, response: reply.response.httpResponse))
            }
        }
    }
}
