// SPDX-License-Identifier: Apache-2.0

// A stand-in for the module SwiftUI: what the views of the articles and of the examples use, with the isolation and the
// sendability of the declarations of Apple. It shows nothing.
//
// developer.apple.com/documentation/swiftui; Apple's module re-exports Foundation, too.
@_exported public import AppleFoundation
@_exported public import Observation

@MainActor @preconcurrency
public protocol View {
    associatedtype Body: View
    @ViewBuilder @MainActor @preconcurrency var body: Self.Body { get }
}

extension Never: View {
    public var body: Never { fatalError() }
}

@MainActor @preconcurrency
public protocol PreviewProvider {
    associatedtype Previews: View
    @ViewBuilder @MainActor @preconcurrency static var previews: Self.Previews { get }
}

@resultBuilder
public enum ViewBuilder {
    public static func buildBlock<Content: View>(_ content: Content) -> Content { content }
    public static func buildIf<Content: View>(_ content: Content?) -> Content? { content }
}

extension Optional: View where Wrapped: View {
    public var body: Never { fatalError() }
}

@MainActor @preconcurrency
public struct Text: View {
    nonisolated public init(_ content: some StringProtocol) {}

    public var body: Never { fatalError() }
}

@MainActor @preconcurrency
public struct List<Content: View>: View {
    nonisolated public init<Data: RandomAccessCollection>(
        _ data: Data,
        @ViewBuilder rowContent: @escaping (Data.Element) -> Content
    ) where Data.Element: Identifiable {}

    public var body: Never { fatalError() }
}

@propertyWrapper
public struct State<Value> {
    private let value: Value

    public init(wrappedValue value: Value) { self.value = value }

    public var wrappedValue: Value {
        get { self.value }
        nonmutating set {}
    }
}

extension State: Sendable where Value: Sendable {}

extension View {
    nonisolated public func overlay<Content: View>(@ViewBuilder content: () -> Content) -> some View { self }

    nonisolated public func task(
        priority: TaskPriority = .userInitiated,
        _ action: sending @escaping @isolated(any) () async -> Void
    ) -> some View { self }

    nonisolated public func refreshable(action: @escaping @Sendable () async -> Void) -> some View { self }
}
