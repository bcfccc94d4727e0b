// SPDX-License-Identifier: Apache-2.0
// Compiled and run on Linux with glibc; never compiled with musl or for Android.

#if !canImport(Security)
import Synchronization
import TernErrors
import TernFoundation

enum SystemAnchors {
    /// Read once per process, because reading takes milliseconds, and the system's roots seldom change.
    private static let cached = Mutex<AnchorStore?>(nil)

    /// Returns the roots, or throws if there are none; the next call tries again.
    static func store() throws(TLSFailure) -> AnchorStore {
        try self.cached.withLock { cached throws(TLSFailure) in
            if let cached { return cached }
            let store = try AnchorPlaces(environment: ProcessInfo.processInfo.environment).store()
            cached = store
            return store
        }
    }
}
#endif
