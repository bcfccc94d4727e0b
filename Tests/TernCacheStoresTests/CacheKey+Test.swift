// SPDX-License-Identifier: Apache-2.0
import TernCacheStores

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

extension CacheKey {
    /// The key of a URL that means nothing.
    static let test = CacheKey(URL(string: "http://test/") ?? URL(fileURLWithPath: "/"))
}
