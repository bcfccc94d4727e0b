// SPDX-License-Identifier: Apache-2.0
public import TernCookies
import TernValues

/// The cookies that one request uses, instead of those in the client's cookie store.
@nonexhaustive
public enum CookiePolicy: Hashable, Sendable {
    /// Send only the cookies that the request has in its `Cookie` field, and store no cookies from its responses.
    case never
    /// Use this store, even for a request through a Unix-domain socket, which never uses the client's store.
    case store(any CookieStore)
}

extension CookiePolicy: Identified {
    package var identity: ObjectIdentifier? {
        switch self {
        case .never: nil
        case .store(let store): ObjectIdentifier(store)
        }
    }
}
