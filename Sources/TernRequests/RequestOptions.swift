// SPDX-License-Identifier: Apache-2.0
public import HTTPTypes

/// Per-request overrides; `nil` uses the client's configuration.
///
/// The client copies a request several times, and most requests override nothing. All overrides are therefore stored
/// behind one reference. The key of an override is the type of its option: one of the options below, or one that
/// another module defines.
public struct RequestOptions: Hashable, Sendable {
    @usableFromInline var values: [ObjectIdentifier: OptionValue]?

    /// Creates options that override nothing.
    package init() {}

    /// The time limits, which replace all limits of the client.
    @inlinable package var timeouts: Timeouts? {
        get { self[TimeoutsOption.self] }
        set { self[TimeoutsOption.self] = newValue }
    }
    /// The limit for the whole call; replaces ``Timeouts/call``.
    @inlinable package var callTimeout: Duration? {
        get { self[CallTimeoutOption.self] }
        set { self[CallTimeoutOption.self] = newValue }
    }
    /// The maximum length of the response body, in bytes.
    ///
    /// For a call that keeps the body in memory, such as `data`, this limit replaces the client's. For a download, this
    /// is the only limit. The limit does not apply to `bytes` and `lines`: their callers read as much as they want. A
    /// call with a longer body throws `ClientError.bodyTooLarge`.
    @inlinable public var maximumBodyByteCount: Int? {
        get { self[MaximumBodyOption.self] }
        set { self[MaximumBodyOption.self] = newValue }
    }
    /// Whether the client sends `Expect: 100-continue`, and waits for the answer before it sends the body (RFC 9110
    /// §10.1.1).
    ///
    /// `nil` uses the client's setting over HTTP/1.1, and does not wait over HTTP/2.
    @inlinable public var expectsContinue: Bool? {
        get { self[ExpectationOption.self] }
        set { self[ExpectationOption.self] = newValue }
    }
    /// Whether the client decompresses content with a content coding (`Content-Encoding`, RFC 9110 §8.4).
    ///
    /// `nil` uses the client's setting. But if the request itself has `Accept-Encoding` or `Range`, `nil` means that
    /// the caller gets the content as the server sends it.
    @inlinable public var decodesContent: Bool? {
        get { self[DecodingOption.self] }
        set { self[DecodingOption.self] = newValue }
    }
    /// The path of a Unix-domain socket to connect to instead of the URL's host and port.
    ///
    /// The URL still names the resource.
    @inlinable package var unixSocketPath: String? {
        get { self[UnixSocketOption.self] }
        set { self[UnixSocketOption.self] = newValue }
    }
    /// The rules for following redirects.
    @inlinable package var redirects: RedirectPolicy? {
        get { self[RedirectOption.self] }
        set { self[RedirectOption.self] = newValue }
    }
    /// Further fields that the client must not send to another origin after a redirect.
    ///
    /// After such a redirect, the client always leaves out the request's own `Authorization`, `Cookie`, `Host` and
    /// `Proxy-Authorization`, and any field whose `indexingStrategy` is `.disallow`, the mark of sensitive fields in
    /// HTTP/2 (RFC 7541 §7.1.3).
    @inlinable package var sensitiveFields: Set<HTTPField.Name> {
        get { self[SensitiveFieldsOption.self] ?? [] }
        set { self[SensitiveFieldsOption.self] = newValue.isEmpty ? nil : newValue }
    }

    /// The settings for compressing the body.
    ///
    /// Defaults to `nil`, which sends the body uncompressed.
    @inlinable package var compression: RequestCompression? {
        get { self[CompressionOption.self] }
        set { self[CompressionOption.self] = newValue }
    }

    /// The arguments that give curl the same options, in a stable order.
    var curlArguments: [String] {
        (self.values ?? [:]).values.map(\.curlArguments).sorted { $0.lexicographicallyPrecedes($1) }.flatMap { $0 }
    }

    /// Returns the time limits for the request.
    ///
    /// - Parameter client: The client's limits, which apply if the request has none.
    /// - Returns: The request's limits, or `client`. If the request limits the whole call, the result has that limit.
    package func timeouts(default client: Timeouts) -> Timeouts {
        guard !self.isEmpty else { return client }
        var timeouts = self.timeouts ?? client
        if let call = self.callTimeout { timeouts.call = call }
        return timeouts
    }
}

@usableFromInline
enum TimeoutsOption: CurlOption, Sendable {
    @usableFromInline typealias Value = Timeouts

    /// Returns curl's argument for the limit for connecting, and leaves out the other limits.
    @usableFromInline static func curlArguments(_ value: Timeouts) -> [String] {
        value.connect.map { ["--connect-timeout", "\($0 / .seconds(1))"] } ?? []
    }
}
@usableFromInline
enum CallTimeoutOption: CurlOption, Sendable {
    @usableFromInline typealias Value = Duration

    @usableFromInline static func curlArguments(_ value: Duration) -> [String] {
        ["--max-time", "\(value / .seconds(1))"]
    }
}
@usableFromInline
enum MaximumBodyOption: CurlOption, Sendable {
    @usableFromInline typealias Value = Int

    @usableFromInline static func curlArguments(_ value: Int) -> [String] { ["--max-filesize", "\(value)"] }
}
@usableFromInline
enum ExpectationOption: CurlOption, Sendable {
    @usableFromInline typealias Value = Bool

    @usableFromInline static func curlArguments(_ value: Bool) -> [String] {
        ["--header", value ? "Expect: 100-continue" : "Expect:"]
    }
}
@usableFromInline
enum DecodingOption: CurlOption, Sendable {
    @usableFromInline typealias Value = Bool

    @usableFromInline static func curlArguments(_ value: Bool) -> [String] { value ? ["--compressed"] : [] }
}
@usableFromInline
enum UnixSocketOption: CurlOption, Sendable {
    @usableFromInline typealias Value = String

    @usableFromInline static func curlArguments(_ value: String) -> [String] { ["--unix-socket", value] }
}
@usableFromInline
enum RedirectOption: CurlOption, Sendable {
    @usableFromInline typealias Value = RedirectPolicy

    /// Returns the arguments with which curl follows redirects, because by default it follows none.
    ///
    /// curl has no option to limit the addresses: if the policy limits them, the result is empty.
    @usableFromInline static func curlArguments(_ value: RedirectPolicy) -> [String] {
        guard value.scope == .anywhere else { return [] }
        return ["--location", "--max-redirs", "\(max(0, value.maximumCount))"]
    }
}
@usableFromInline
enum SensitiveFieldsOption: RequestOption, Sendable { @usableFromInline typealias Value = Set<HTTPField.Name> }
@usableFromInline
enum CompressionOption: RequestOption, Sendable { @usableFromInline typealias Value = RequestCompression }

extension RequestOptions {
    /// The value of an option.
    ///
    /// Defaults to `nil`, which uses the client's configuration.
    @inlinable
    public subscript<Option: RequestOption>(_ option: Option.Type) -> Option.Value? {
        get {
            guard let values = self.values else { return nil }
            return Self.value(of: option, in: values)
        }
        set { self.set(option, to: newValue) }
    }

    /// Whether the request overrides nothing.
    @inlinable package var isEmpty: Bool { self.values == nil }

    @usableFromInline
    static func value<Option: RequestOption>(
        of option: Option.Type,
        in values: [ObjectIdentifier: OptionValue]
    ) -> Option.Value? {
        values[ObjectIdentifier(option)]?.value as? Option.Value
    }

    @usableFromInline
    mutating func set<Option: RequestOption>(_ option: Option.Type, to value: Option.Value?) {
        var values = self.values.take() ?? [:]
        values[ObjectIdentifier(option)] = value.map { OptionValue(value: $0, option: option) }
        self.values = values.isEmpty ? nil : values
    }

    /// The value of an option, without its type; `option` knows the type.
    @usableFromInline
    struct OptionValue: Hashable, Sendable {
        let value: any Hashable & Sendable
        let option: any RequestOption.Type

        /// The curl arguments for the value; empty if curl has no such option, or needs none.
        var curlArguments: [String] { (self.option as? any CurlOption.Type)?.curlArguments(of: self.value) ?? [] }

        @usableFromInline
        static func == (one: OptionValue, other: OptionValue) -> Bool {
            AnyHashable(one.value) == AnyHashable(other.value)
        }

        @usableFromInline
        func hash(into hasher: inout Hasher) { self.value.hash(into: &hasher) }
    }
}
