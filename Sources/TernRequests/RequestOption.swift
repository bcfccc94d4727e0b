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
    /// The value of an option that another module defines; `nil`, the default, means: as the client has it.
    public subscript<Option: RequestOption>(_ option: Option.Type) -> Option.Value? {
        get { self.others?[ObjectIdentifier(option)]?.value as? Option.Value }
        set {
            var others = self.others ?? [:]
            others[ObjectIdentifier(option)] = newValue.map { OtherOption(value: $0) }
            self.others = others.isEmpty ? nil : others
        }
    }

    /// Whether any such option is set.
    @inlinable public var hasOtherOptions: Bool { self.others != nil }

    /// A value whose type only its option knows.
    @usableFromInline
    struct OtherOption: Hashable, Sendable {
        let value: any Hashable & Sendable

        @usableFromInline
        static func == (one: OtherOption, other: OtherOption) -> Bool {
            AnyHashable(one.value) == AnyHashable(other.value)
        }

        @usableFromInline
        func hash(into hasher: inout Hasher) { self.value.hash(into: &hasher) }
    }
}
