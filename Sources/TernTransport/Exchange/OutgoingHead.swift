// SPDX-License-Identifier: Apache-2.0
package import HTTPTypes
package import TernErrors
@_spi(CrossModuleInlining) package import TernFields
import TernRequests

/// The head of a request, independent of the version of HTTP: each codec encodes it for its version.
package struct OutgoingHead: Sendable {
    package enum BodyLength: Hashable, Sendable {
        case none
        case bytes(Int64)
        /// The length is not known before the body is sent, or trailers follow the body.
        case unknown
    }

    package let method: HTTPRequest.Method
    package let scheme: String
    /// The host, and the port if it is not the default; a single `Host` in ``fields`` replaces this value.
    package let authority: String
    /// The path and the query; empty only in a request for a tunnel.
    package let path: String
    package let isForwarded: Bool
    package let fields: HTTPFields
    package let steering: SteeringFields
    package let bodyLength: BodyLength
    /// Whether the client waits for 100 (Continue) before it sends the body (RFC 9110 §10.1.1).
    package var expectsContinue: Bool
    /// The offered protocol; a call that began with an offer may also send requests without it, for example to another server.
    package let upgrade: OfferedUpgrade?

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

    /// Creates the head of CONNECT, with which the client asks a proxy for a tunnel to a host and port (RFC 9110 §9.3.6).
    package init(tunnelTo authority: String, fields: HTTPFields) {
        self.method = .connect
        self.scheme = ""
        self.authority = authority
        self.path = ""
        self.isForwarded = false
        self.fields = fields
        self.steering = SteeringFields(fields)
        self.bodyLength = .none
        self.expectsContinue = false
        self.upgrade = nil
    }

    /// Whether the request asks for a tunnel, so that a 2xx ends HTTP; not for a CONNECT that is the caller's own request.
    package var opensTunnel: Bool { self.path.isEmpty }

    /// Checks what could break the framing or the meaning of the message; `HTTPField` itself checks its value.
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
