// SPDX-License-Identifier: Apache-2.0
public import TernCookies
import TernValues

/// The rule for one request's cookies, which replaces the client's cookie store.
@nonexhaustive
public enum CookiePolicy: Hashable, Sendable {
    /// Send only the cookies of the request's own `Cookie` field, and store none.
    case never
    /// Use this store, even for a request through a Unix-domain socket, which does not use the client's store.
    case store(any CookieStore)
}

extension CookiePolicy: Identified {
    /// The identity of the store; `nil` for ``never``.
    package var identity: ObjectIdentifier? {
        switch self {
        case .never: nil
        case .store(let store): ObjectIdentifier(store)
        }
    }
}
