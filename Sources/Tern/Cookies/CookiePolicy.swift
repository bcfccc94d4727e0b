// SPDX-License-Identifier: Apache-2.0
public import TernCookies
import TernValues

/// What one request does about cookies, in place of what its client does.
@nonexhaustive
public enum CookiePolicy: Hashable, Sendable {
    /// It brings none but those in its own `Cookie` field, and keeps none.
    case never
    /// It uses this store, also with a Unix socket, for which the client's is not used.
    case store(any CookieStore)
}

extension CookiePolicy: Identified {
    /// Which store it is; `nil` for none.
    package var identity: ObjectIdentifier? {
        switch self {
        case .never: nil
        case .store(let store): ObjectIdentifier(store)
        }
    }
}
