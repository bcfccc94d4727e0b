// SPDX-License-Identifier: Apache-2.0
public import HTTPTypes
public import TernRequests
import TernTransport

/// A request, just before the client sends it, for a ``RequestSigner``.
public struct SignableRequest: Sendable {
    /// The method.
    public let method: HTTPRequest.Method
    /// The origin of the request's URL.
    public let origin: Origin
    /// The value of the `Host` field for the URL, which HTTP/2 sends as `:authority`; a `Host` in ``fields`` replaces it.
    public let host: String
    /// The path and query, as in the request line to the server; HTTP/2 sends them as `:path`.
    public let target: String
    /// The fields, including the body's `Content-Type`, but not those that the client adds later, such as `Host`, `Content-Length`
    /// and `Expect`.
    public let fields: HTTPFields
    /// The body; the signer can read data and files, but not a stream.
    public let body: RequestBody?

    init(_ call: HTTPCall) {
        self.method = call.request.method
        self.origin = call.destination.origin
        self.host = call.destination.hostField
        self.target = call.destination.target
        self.fields = call.request.effectiveFields
        self.body = call.request.body
    }
}
