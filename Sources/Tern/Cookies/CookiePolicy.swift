// SPDX-License-Identifier: Apache-2.0
public import TernCookies

/// What one request does about cookies, in place of what its client does.
@nonexhaustive
public enum CookiePolicy: Hashable, Sendable {
    /// It brings none but those in its own `Cookie` field, and keeps none.
    case never
    /// It uses this store, also with a Unix socket, for which the client's is not used.
    case store(any CookieStore)

    /// Whether both mean the same, and the same store.
    public static func == (one: CookiePolicy, other: CookiePolicy) -> Bool {
        switch (one, other) {
        case (.never, .never): true
        case (.store(let one), .store(let other)): one === other
        default: false
        }
    }

    /// Hashes which store it is.
    ///
    /// - Parameter hasher: takes it.
    public func hash(into hasher: inout Hasher) {
        if case .store(let store) = self { hasher.combine(ObjectIdentifier(store)) }
    }
}
