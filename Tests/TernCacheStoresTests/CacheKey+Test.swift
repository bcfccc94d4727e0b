// SPDX-License-Identifier: Apache-2.0
import TernCacheStores
import TernFoundation

extension CacheKey {
    /// A key for tests that do not depend on the URL.
    static let test = CacheKey(URL(string: "http://test/") ?? URL(fileURLWithPath: "/"))
}
