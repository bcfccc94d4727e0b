// SPDX-License-Identifier: Apache-2.0
public import HTTPTypes

@usableFromInline
struct OptionValues: Hashable, Sendable {
    @usableFromInline var timeouts: Timeouts?
    @usableFromInline var callTimeout: Duration?
    @usableFromInline var maximumBodyByteCount: Int?
    @usableFromInline var expectsContinue: Bool?
    @usableFromInline var decodesContent: Bool?
    @usableFromInline var unixSocketPath: String?
    @usableFromInline var redirects: RedirectPolicy?
    @usableFromInline var sensitiveFields: Set<HTTPField.Name> = []
    @usableFromInline var compression: RequestCompression?
    @usableFromInline var isRepeatable: Bool?
    @usableFromInline var keyed: [ObjectIdentifier: OptionValue] = [:]

    @usableFromInline
    init() {}

    var curlArguments: [String] {
        var arguments = self.keyed.values.map(\.curlArguments)
        if let limit = self.timeouts?.connect { arguments.append(["--connect-timeout", "\(limit / .seconds(1))"]) }
        if let limit = self.callTimeout { arguments.append(["--max-time", "\(limit / .seconds(1))"]) }
        if let limit = self.maximumBodyByteCount { arguments.append(["--max-filesize", "\(limit)"]) }
        if let isExpected = self.expectsContinue {
            arguments.append(["--header", isExpected ? "Expect: 100-continue" : "Expect:"])
        }
        if self.decodesContent == true { arguments.append(["--compressed"]) }
        if let path = self.unixSocketPath { arguments.append(["--unix-socket", path]) }
        // By default, curl follows no redirects. It cannot limit their addresses.
        if let policy = self.redirects, policy.scope == .anywhere {
            arguments.append(["--location", "--max-redirs", "\(max(0, policy.maximumCount))"])
        }
        return arguments.sorted { $0.lexicographicallyPrecedes($1) }.flatMap { $0 }
    }
}

/// The value of an option, stored without its type, which `option` knows.
@usableFromInline
struct OptionValue: Hashable, Sendable {
    let value: any Hashable & Sendable
    let option: any RequestOption.Type

    @usableFromInline
    init<Option: RequestOption>(_ value: Option.Value, of option: Option.Type) {
        self.value = value
        self.option = option
    }

    @usableFromInline
    static func find<Option: RequestOption>(
        _ option: Option.Type,
        in values: [ObjectIdentifier: OptionValue]
    ) -> Option.Value? {
        values[ObjectIdentifier(option)]?.value as? Option.Value
    }

    var curlArguments: [String] { (self.option as? any CurlOption.Type)?.curlArguments(of: self.value) ?? [] }

    @usableFromInline
    static func == (one: OptionValue, other: OptionValue) -> Bool {
        AnyHashable(one.value) == AnyHashable(other.value)
    }

    @usableFromInline
    func hash(into hasher: inout Hasher) { self.value.hash(into: &hasher) }
}
