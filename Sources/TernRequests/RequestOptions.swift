// SPDX-License-Identifier: Apache-2.0
public import HTTPTypes

/// Per-request overrides; `nil` means that the request does not set the option.
///
/// An option that another module defines has its type as its key.
public struct RequestOptions: Hashable, Sendable {
    /// The overrides, behind one reference because the client copies a request several times; `nil` if there are none.
    @usableFromInline var shared: Shared?

    package init() {}

    @inlinable package var timeouts: Timeouts? {
        get { self.shared?.values.timeouts }
        set { self.change { $0.timeouts = newValue } }
    }
    @inlinable package var callTimeout: Duration? {
        get { self.shared?.values.callTimeout }
        set { self.change { $0.callTimeout = newValue } }
    }
    /// The maximum length of the response body, in bytes; a call with a longer body throws `ClientError.bodyTooLarge`.
    ///
    /// For a call that keeps the body in memory, such as `data`, it replaces the client's limit. A download has only this one
    /// of the two. The limit does not apply to `send`, or to `bytes` and other streams, whose callers read as much as they want.
    @inlinable public var maximumBodyByteCount: Int? {
        get { self.shared?.values.maximumBodyByteCount }
        set { self.change { $0.maximumBodyByteCount = newValue.map { max(0, $0) } } }
    }
    /// Whether the client sends `Expect: 100-continue`, and waits a while for the answer before the body (RFC 9110 §10.1.1).
    ///
    /// `nil` uses the client's setting over HTTP/1.1, and does not wait over HTTP/2. It has no effect over `URLSession`.
    @inlinable public var expectsContinue: Bool? {
        get { self.shared?.values.expectsContinue }
        set { self.change { $0.expectsContinue = newValue } }
    }
    /// Whether the client decompresses content with a content coding (`Content-Encoding`, RFC 9110 §8.4).
    ///
    /// `nil` uses the client's setting. But if the request itself has `Accept-Encoding` or `Range`, `nil` means that the client
    /// does not decompress the content, although `URLSession` may.
    @inlinable public var decodesContent: Bool? {
        get { self.shared?.values.decodesContent }
        set { self.change { $0.decodesContent = newValue } }
    }
    /// The path of a Unix-domain socket to connect to instead of the URL's host and port.
    @inlinable package var unixSocketPath: String? {
        get { self.shared?.values.unixSocketPath }
        set { self.change { $0.unixSocketPath = newValue } }
    }
    @inlinable package var redirects: RedirectPolicy? {
        get { self.shared?.values.redirects }
        set { self.change { $0.redirects = newValue } }
    }
    /// Further fields that do not go to another origin after a redirect, as `Authorization` and `Cookie` never do.
    @inlinable package var sensitiveFields: Set<HTTPField.Name> {
        get { self.shared?.values.sensitiveFields ?? [] }
        set { self.change { $0.sensitiveFields = newValue } }
    }

    @inlinable package var compression: RequestCompression? {
        get { self.shared?.values.compression }
        set { self.change { $0.compression = newValue } }
    }
    /// Whether the server may act on the request twice; `nil` leaves this to the method; see ``Request/isRepeatable``.
    @inlinable package var isRepeatable: Bool? {
        get { self.shared?.values.isRepeatable }
        set { self.change { $0.isRepeatable = newValue } }
    }

    @inlinable package var isEmpty: Bool { self.shared == nil }

    /// Whether the request has an option whose key is its type: only such options need a stage that other calls skip, or a proxy.
    @inlinable package var hasKeyedOptions: Bool { !(self.shared?.values.keyed.isEmpty ?? true) }

    var curlArguments: [String] { self.shared?.values.curlArguments ?? [] }

    package func timeouts(default client: Timeouts) -> Timeouts {
        guard let values = self.shared?.values else { return client }
        var timeouts = values.timeouts ?? client
        if let call = values.callTimeout { timeouts.call = call }
        return timeouts
    }

    /// The value of an option whose key is its type; `nil` if the request does not set it.
    @inlinable
    public subscript<Option: RequestOption>(_ option: Option.Type) -> Option.Value? {
        get {
            guard let keyed = self.shared?.values.keyed, !keyed.isEmpty else { return nil }
            return OptionValue.find(option, in: keyed)
        }
        set { self.change { $0.keyed[ObjectIdentifier(option)] = newValue.map { OptionValue($0, of: option) } } }
    }

    @usableFromInline
    mutating func change(_ change: (inout OptionValues) -> Void) {
        var values = self.shared?.values ?? OptionValues()
        change(&values)
        self.shared = values == OptionValues() ? nil : Shared(values)
    }

    @usableFromInline
    final class Shared: Hashable, Sendable {
        @usableFromInline let values: OptionValues

        init(_ values: OptionValues) { self.values = values }

        @usableFromInline
        static func == (one: Shared, other: Shared) -> Bool { one === other || one.values == other.values }

        @usableFromInline
        func hash(into hasher: inout Hasher) { self.values.hash(into: &hasher) }
    }
}
