// SPDX-License-Identifier: Apache-2.0

/// Names an option of a request that a module above this one knows, and the type of its value.
///
/// ```swift
/// enum Trace: RequestOption { typealias Value = String }
/// request.options[Trace.self] = "7f3a"
/// ```
public protocol RequestOption: SendableMetatype {
    /// What the option holds.
    associatedtype Value: Hashable & Sendable

    /// What ``Request/curl()`` says for the option; nothing by default.
    ///
    /// - Parameter value: the option's value.
    /// - Returns: words of the command, not quoted; without secrets.
    static func curlWords(_ value: Value) -> [String]
}

extension RequestOption {
    /// Nothing: curl does not know the option, or need not.
    public static func curlWords(_ value: Value) -> [String] { [] }

    fileprivate static func curlWords(of value: any Sendable) -> [String] {
        (value as? Value).map { Self.curlWords($0) } ?? []
    }
}

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
    @inlinable public var isEmpty: Bool { self.values == nil }

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

        /// What the option says to curl.
        var curlWords: [String] { self.option.curlWords(of: self.value) }

        @usableFromInline
        static func == (one: OptionValue, other: OptionValue) -> Bool {
            AnyHashable(one.value) == AnyHashable(other.value)
        }

        @usableFromInline
        func hash(into hasher: inout Hasher) { self.value.hash(into: &hasher) }
    }
}
