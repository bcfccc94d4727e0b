// SPDX-License-Identifier: Apache-2.0

package import HTTPTypes
@_spi(CrossModuleInlining) package import TernFields

/// The head of a request, which opens a stream (RFC 9113 §8.3.1).
package struct HTTP2RequestHead: Sendable {
    package var method: HTTPRequest.Method
    /// The scheme, which a CONNECT without `protocolName` does not send.
    package var scheme: String
    /// The host, and the port if it is not the default of the scheme; a `Host` in ``fields`` replaces it.
    package var authority: String
    /// The percent-encoded path and query, or `*`; a CONNECT without `protocolName` does not send them.
    package var path: String
    /// The protocol that an extended CONNECT requests, such as `websocket` (RFC 8441 §4).
    package var protocolName: String?
    /// The other fields; the encoder omits connection-specific ones, because the caller does not know the version of HTTP.
    package var fields: HTTPFields { didSet { self.steering = SteeringFields(self.fields) } }
    /// The length of the body in bytes, if it is known.
    package var bodyByteCount: Int64?
    package var expectsContinue: Bool

    private(set) var steering: SteeringFields

    /// Creates a head; `steering` is the summary of the fields, if the caller has it already.
    package init(
        method: HTTPRequest.Method,
        scheme: String,
        authority: String,
        path: String,
        protocolName: String? = nil,
        fields: HTTPFields = [:],
        steering: SteeringFields? = nil,
        bodyByteCount: Int64? = nil,
        expectsContinue: Bool = false
    ) {
        (self.method, self.scheme, self.authority, self.path) = (method, scheme, authority, path)
        assert(steering.map { $0 == SteeringFields(fields) } ?? true, "the summary is that of other fields")
        self.steering = steering ?? SteeringFields(fields)
        (self.protocolName, self.fields, self.bodyByteCount) = (protocolName, fields, bodyByteCount)
        self.expectsContinue = expectsContinue
    }

    var isPlainConnect: Bool { self.method == .connect && self.protocolName == nil }

    /// Checks the rules that a head must obey, so that no server has to refuse it as malformed.
    package func validate() throws(HTTP2RequestError) {
        guard ByteView.check(self.method.rawValue, { $0.isToken }) else { throw .invalidMethod }
        guard self.protocolName == nil || self.method == .connect else { throw .invalidMethod }
        if !self.isPlainConnect {
            guard ByteView.check(self.scheme, { $0.count > 0 && $0.isVisibleASCII }) else { throw .invalidScheme }
            // "This pseudo-header field MUST NOT be empty for "http" or "https" URIs" (RFC 9113 §8.3.1).
            guard ByteView.check(self.path, { $0.isPath && $0.isRequestTarget }) else { throw .invalidPath }
        }
        guard ByteView.check(self.authority, { $0.isVisibleASCII && !$0.contains("@") }), !self.needsAuthority else {
            throw .invalidAuthority
        }
        if let length = self.bodyByteCount, length < 0 { throw .negativeBodyLength }
        guard !self.steering.hasFraming else { throw .framingField }
        guard !self.steering.hasMalformedName else { throw .invalidFieldName }
        guard self.steering.hostCount <= 1 else { throw .repeatedHost }
        guard !self.steering.hasInvalidHost else { throw .invalidAuthority }
    }

    /// "The :authority pseudo-header field contains the host and port to connect to" (RFC 9113 §8.5).
    private var needsAuthority: Bool { self.isPlainConnect && self.authority.isEmpty }
}

extension ByteView {
    /// Whether the text begins with a slash, or is the asterisk that OPTIONS may have as its path.
    fileprivate var isPath: Bool {
        guard self.count > 0 else { return false }
        return self[0] == UInt8(ascii: "/") || (self.count == 1 && self[0] == UInt8(ascii: "*"))
    }

    fileprivate func contains(_ scalar: Unicode.Scalar) -> Bool {
        self.first(UInt8(ascii: scalar), from: 0, to: self.count) != nil
    }
}
