// SPDX-License-Identifier: Apache-2.0
public import HTTPTypes
public import TernRequests
import TernTransport

/// A request as the client will send it, for a ``RequestSigner``.
public struct SignableRequest: Sendable {
    /// The method.
    public let method: HTTPRequest.Method
    /// The origin that receives the request.
    public let origin: Origin
    /// The value of the `Host` field.
    public let host: String
    /// The path and query, as in the request line.
    public let target: String
    /// The fields, including the body's `Content-Type`.
    ///
    /// They include neither `Host` nor the fields that frame the message, such as `Content-Length`.
    public let fields: HTTPFields
    /// The body.
    ///
    /// The signer can hash data and files. A stream may be readable only once, and hashing such a stream consumes it.
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
