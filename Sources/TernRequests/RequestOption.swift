// SPDX-License-Identifier: Apache-2.0

/// Names an option of a request that a module above this one knows, and the type of its value.
///
/// ```swift
/// enum Trace: RequestOption { typealias Value = String }
/// request.options[Trace.self] = "7f3a"
/// ```
public protocol RequestOption {
    /// What the option holds.
    associatedtype Value: Hashable & Sendable
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
        values[ObjectIdentifier(option)] = value.map { OptionValue(value: $0) }
        self.values = values.isEmpty ? nil : values
    }

    /// A value whose type only its option knows.
    @usableFromInline
    struct OptionValue: Hashable, Sendable {
        let value: any Hashable & Sendable

        @usableFromInline
        static func == (one: OptionValue, other: OptionValue) -> Bool {
            AnyHashable(one.value) == AnyHashable(other.value)
        }

        @usableFromInline
        func hash(into hasher: inout Hasher) { self.value.hash(into: &hasher) }
    }
}
