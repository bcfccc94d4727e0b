// SPDX-License-Identifier: Apache-2.0
public import HTTPTypes

/// Settings for one request; `nil` uses the client's configuration.
///
/// A request is copied several times on its way, and most want nothing; so all that is wanted is behind one reference,
/// by the type that names the option: those below, and what modules above this one define.
public struct RequestOptions: Hashable, Sendable {
    @usableFromInline var values: [ObjectIdentifier: OptionValue]?

    /// Creates options that differ from the client's in nothing.
    package init() {}

    /// All limits of time at once.
    @inlinable package var timeouts: Timeouts? {
        get { self[TimeoutsOption.self] }
        set { self[TimeoutsOption.self] = newValue }
    }
    /// The limit for the whole call, in place of ``Timeouts/call`` whichever the timeouts are.
    @inlinable package var callTimeout: Duration? {
        get { self[CallTimeoutOption.self] }
        set { self[CallTimeoutOption.self] = newValue }
    }
    /// How many bytes of response body may be held in memory.
    @inlinable public var maximumBodyByteCount: Int? {
        get { self[MaximumBodyOption.self] }
        set { self[MaximumBodyOption.self] = newValue }
    }
    /// Whether to send `Expect: 100-continue` and wait before the body (RFC 9110 §10.1.1); `nil` leaves it to the client.
    @inlinable public var expectsContinue: Bool? {
        get { self[ExpectationOption.self] }
        set { self[ExpectationOption.self] = newValue }
    }
    /// Whether content that is compressed for the way (`Content-Encoding`, RFC 9110 §8.4) is decompressed.
    ///
    /// A request that brings `Accept-Encoding` or `Range` itself gets what the server sends as it is, unless this is
    /// `true`.
    @inlinable public var decodesContent: Bool? {
        get { self[DecodingOption.self] }
        set { self[DecodingOption.self] = newValue }
    }
    /// A Unix-domain socket to connect to, in place of the URL's host and port; the URL still says what is asked.
    @inlinable package var unixSocketPath: String? {
        get { self[UnixSocketOption.self] }
        set { self[UnixSocketOption.self] = newValue }
    }
    /// Which redirects are followed.
    @inlinable package var redirects: RedirectPolicy? {
        get { self[RedirectOption.self] }
        set { self[RedirectOption.self] = newValue }
    }
    /// Further fields that must not go to another origin by a redirect.
    ///
    /// `Authorization`, `Cookie` and `Proxy-Authorization` never do, nor any field whose `indexingStrategy` is
    /// `.disallow`, the mark of sensitive fields in HTTP/2 (RFC 7541 §7.1.3).
    @inlinable package var sensitiveFields: Set<HTTPField.Name> {
        get { self[SensitiveFieldsOption.self] ?? [] }
        set { self[SensitiveFieldsOption.self] = newValue.isEmpty ? nil : newValue }
    }

    /// Whether, and from which length on, the body is compressed; `nil`, the default, sends it as it is.
    @inlinable package var compression: RequestCompression? {
        get { self[CompressionOption.self] }
        set { self[CompressionOption.self] = newValue }
    }

    /// What the options say to curl, in an order that is always the same.
    var curlWords: [String] {
        (self.values ?? [:]).values.map(\.curlWords).sorted { $0.lexicographicallyPrecedes($1) }.flatMap { $0 }
    }

    /// The limits of time that hold for the request.
    ///
    /// - Parameter client: the client's, where the request has none.
    /// - Returns: the request's own limits, or `client`, with the request's limit for the whole call.
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

    /// The only one of these limits that curl has.
    @usableFromInline static func curlWords(_ value: Timeouts) -> [String] {
        value.connect.map { ["--connect-timeout", "\($0 / .seconds(1))"] } ?? []
    }
}
@usableFromInline
enum CallTimeoutOption: CurlOption, Sendable {
    @usableFromInline typealias Value = Duration

    @usableFromInline static func curlWords(_ value: Duration) -> [String] {
        ["--max-time", "\(value / .seconds(1))"]
    }
}
@usableFromInline
enum MaximumBodyOption: CurlOption, Sendable {
    @usableFromInline typealias Value = Int

    @usableFromInline static func curlWords(_ value: Int) -> [String] { ["--max-filesize", "\(value)"] }
}
@usableFromInline
enum ExpectationOption: CurlOption, Sendable {
    @usableFromInline typealias Value = Bool

    @usableFromInline static func curlWords(_ value: Bool) -> [String] {
        ["--header", value ? "Expect: 100-continue" : "Expect:"]
    }
}
@usableFromInline
enum DecodingOption: CurlOption, Sendable {
    @usableFromInline typealias Value = Bool

    @usableFromInline static func curlWords(_ value: Bool) -> [String] { value ? ["--compressed"] : [] }
}
@usableFromInline
enum UnixSocketOption: CurlOption, Sendable {
    @usableFromInline typealias Value = String

    @usableFromInline static func curlWords(_ value: String) -> [String] { ["--unix-socket", value] }
}
@usableFromInline
enum RedirectOption: CurlOption, Sendable {
    @usableFromInline typealias Value = RedirectPolicy

    /// What has curl follow redirects, which it does not by itself.
    ///
    /// It knows no scope: where one is set, the command follows nothing.
    @usableFromInline static func curlWords(_ value: RedirectPolicy) -> [String] {
        guard value.scope == .anywhere else { return [] }
        return ["--location", "--max-redirs", "\(max(0, value.maximumCount))"]
    }
}
@usableFromInline
enum SensitiveFieldsOption: RequestOption, Sendable { @usableFromInline typealias Value = Set<HTTPField.Name> }
@usableFromInline
enum CompressionOption: RequestOption, Sendable { @usableFromInline typealias Value = RequestCompression }

extension RequestOptions {
    /// The value of an option; `nil`, the default, means: as the client has it.
    @inlinable
    public subscript<Option: RequestOption>(_ option: Option.Type) -> Option.Value? {
        get {
            guard let values = self.values else { return nil }
            return Self.value(of: option, in: values)
        }
        set { self.set(option, to: newValue) }
    }

    /// Whether the request wants everything as the client has it.
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

    /// A value whose type only its option knows.
    @usableFromInline
    struct OptionValue: Hashable, Sendable {
        let value: any Hashable & Sendable
        let option: any RequestOption.Type

        /// What the option says to curl; nothing if curl does not know it, or need not.
        var curlWords: [String] { (self.option as? any CurlOption.Type)?.curlWords(of: self.value) ?? [] }

        @usableFromInline
        static func == (one: OptionValue, other: OptionValue) -> Bool {
            AnyHashable(one.value) == AnyHashable(other.value)
        }

        @usableFromInline
        func hash(into hasher: inout Hasher) { self.value.hash(into: &hasher) }
    }
}
