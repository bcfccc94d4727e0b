// SPDX-License-Identifier: Apache-2.0
import TernCacheStores

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

extension CacheKey {
    /// A key for tests that do not depend on the URL.
    static let test = CacheKey(URL(string: "http://test/") ?? URL(fileURLWithPath: "/"))
}
