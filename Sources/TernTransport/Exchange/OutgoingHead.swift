// SPDX-License-Identifier: Apache-2.0
package import HTTPTypes
package import TernErrors
@_spi(CrossModuleInlining) package import TernFields
import TernRequests

/// The head of a request, in no version of HTTP: each codec encodes it for its own.
package struct OutgoingHead: Sendable {
    /// The length of the body that follows.
    package enum BodyLength: Hashable, Sendable {
        /// There is no body.
        case none
        /// The body has this many bytes.
        case bytes(Int64)
        /// The length is not known before the body was sent, or trailers follow the body.
        case unknown
    }

    /// The method.
    package let method: HTTPRequest.Method
    /// The scheme of the target URI, such as `https`.
    package let scheme: String
    /// The host, and the port if it is not the default of the scheme.
    ///
    /// A single `Host` in ``fields`` replaces this value.
    package let authority: String
    /// The percent-encoded path and query, or `*`.
    package let path: String
    /// Whether the request goes to a proxy that forwards it.
    package let isForwarded: Bool
    /// The fields, without those that frame the body.
    package let fields: HTTPFields
    /// A summary of ``fields``.
    package let steering: SteeringFields
    /// The length of the body.
    package let bodyLength: BodyLength
    /// Whether the client waits for 100 (Continue) before it sends the body (RFC 9110 §10.1.1).
    package var expectsContinue: Bool
    /// The protocol that the request offers to switch to; `nil` for none.
    ///
    /// A call that began with an offer may send requests without it, for example if an interceptor asks another server
    /// first.
    package let upgrade: OfferedUpgrade?

    /// Creates the head of a call's request, and checks it.
    ///
    /// - Parameters:
    ///   - call: The call.
    ///   - fields: The fields to send.
    ///   - isForwarded: Whether the request goes to a proxy that forwards it.
    ///   - bodyLength: The length of the body.
    ///   - expectsContinue: Whether the client waits for 100 (Continue) before it sends the body.
    /// - Throws: The reason why no version of HTTP can send the head.
    package init(
        of call: HTTPCall,
        fields: HTTPFields,
        isForwarded: Bool,
        bodyLength: BodyLength,
        expectsContinue: Bool
    ) throws(RequestFailure) {
        let destination = call.destination
        self.method = call.request.method
        self.scheme = destination.origin.scheme.rawValue
        self.authority = destination.hostField
        self.path = destination.target
        self.isForwarded = isForwarded
        self.fields = fields
        self.steering = SteeringFields(fields)
        self.bodyLength = bodyLength
        self.expectsContinue = expectsContinue
        self.upgrade = self.steering.hasUpgrade ? call.upgrade : nil
        try self.check()
    }

    /// Checks everything that could break the framing or the meaning of the message.
    ///
    /// The names and values of ``fields`` need no check: `HTTPField` allows only tokens as names, and no NUL, CR or LF in
    /// values.
    private func check() throws(RequestFailure) {
        guard ByteView.check(self.method.rawValue, { $0.isToken }) else { throw .malformedMethod }
        guard ByteView.check(self.path, { $0.isRequestTarget }) else { throw .malformedTarget }
        guard ByteView.check(self.authority, { $0.isVisibleASCII }) else { throw .malformedHost }
        if case .bytes(let length) = self.bodyLength, length < 0 {
            throw .bodyNotEncodable("its length is negative")
        }
        guard !self.steering.hasFraming else { throw .framingField(name: "Content-Length or Transfer-Encoding") }
        guard !self.steering.hasMalformedName else { throw .malformedFieldName }
        guard self.steering.hostCount <= 1 else { throw .repeatedHost }
        guard !self.steering.hasInvalidHost else { throw .malformedHost }
    }
}
