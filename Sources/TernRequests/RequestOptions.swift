// SPDX-License-Identifier: Apache-2.0
public import HTTPTypes

/// What one request wants otherwise than its client; `nil` always means: as the client has it.
public struct RequestOptions: Hashable, Sendable {
    /// All limits of time at once.
    public var timeouts: Timeouts?
    /// The limit for the whole call, in place of ``Timeouts/call`` whichever the timeouts are.
    public var callTimeout: Duration?
    /// How many bytes of response body may be held in memory.
    public var maximumBodyByteCount: Int?
    /// Whether to send `Expect: 100-continue` and wait before the body (RFC 9110 §10.1.1); `nil` leaves it to the client.
    public var expectsContinue: Bool?
    /// Whether content that is compressed for the way (`Content-Encoding`, RFC 9110 §8.4) is decompressed.
    ///
    /// A request that brings `Accept-Encoding` or `Range` itself gets what the server sends as it is, unless this is
    /// `true`.
    public var decodesContent: Bool?
    /// A Unix-domain socket to connect to, in place of the URL's host and port; the URL still says what is asked.
    public var unixSocketPath: String?

    /// Which redirects are followed.
    public var redirects: RedirectPolicy? {
        get { self[RedirectOption.self] }
        set { self[RedirectOption.self] = newValue }
    }
    /// Fields, besides those that always are, that must not go to another origin by a redirect.
    ///
    /// `Authorization`, `Cookie` and `Proxy-Authorization` never do, nor any field whose `indexingStrategy` is
    /// `.disallow`, the mark of sensitive fields in HTTP/2 (RFC 7541 §7.1.3).
    public var sensitiveFields: Set<HTTPField.Name> {
        get { self[SensitiveFieldsOption.self] ?? [] }
        set { self[SensitiveFieldsOption.self] = newValue.isEmpty ? nil : newValue }
    }

    /// What is seldom set, and what modules above this one have put here, by the type that names the option.
    ///
    /// A request is copied several times on its way; so that costs one reference, or none.
    @usableFromInline var others: [ObjectIdentifier: OtherOption]?

    /// Creates options that differ from the client's in nothing.
    public init() {}

    /// The limits of time that hold for the request.
    ///
    /// - Parameter client: the client's, where the request has none.
    /// - Returns: the request's own limits, or `client`, with the request's limit for the whole call.
    public func timeouts(default client: Timeouts) -> Timeouts {
        var timeouts = self.timeouts ?? client
        if let call = self.callTimeout { timeouts.call = call }
        return timeouts
    }
}

private enum RedirectOption: RequestOption {
    typealias Value = RedirectPolicy
}

private enum SensitiveFieldsOption: RequestOption {
    typealias Value = Set<HTTPField.Name>
}
