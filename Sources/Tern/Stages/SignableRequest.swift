// SPDX-License-Identifier: Apache-2.0
public import HTTPTypes
public import TernRequests
import TernTransport

/// A request as it will be sent.
public struct SignableRequest: Sendable {
    /// The method.
    public let method: HTTPRequest.Method
    /// The origin that it goes to.
    public let origin: Origin
    /// The value of `Host`.
    public let host: String
    /// Path and query, as they stand in the request line.
    public let target: String
    /// The fields, the body's media type included; `Host` and those that frame the message are not among them.
    public let fields: HTTPFields
    /// The body; one that is a stream cannot be hashed without reading it.
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
