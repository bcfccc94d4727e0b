// SPDX-License-Identifier: Apache-2.0
// Compiled and run on Linux with glibc; never compiled with musl or for Android.

#if !canImport(Darwin)
import TernCLibrary

extension ThreadWaits {
    static func systemCount() -> Int? {
        var usage = rusage()
        // RUSAGE_THREAD, which the C libraries declare only with _GNU_SOURCE; its type is not the same in each of them.
        return getrusage(.init(1), &usage) == 0 ? Int(usage.ru_nvcsw) : nil
    }
}
#endif
