// SPDX-License-Identifier: Apache-2.0
// Compiled and run on Linux with glibc.

#if !canImport(Darwin)
extension PlatformCapabilities {
    /// The properties of swift-corelibs-foundation, whose `URLSession` runs on libcurl.
    ///
    /// `suspend()` takes the transfer out of libcurl, so that `resume()` sends the request once more. After
    /// `performDefaultHandling`, a task with a 401 never ends; after `rejectProtectionSpace`, it fails. libcurl's "got nothing"
    /// becomes `badServerResponse`. The code of an error depends on the `errno` of the last failure to connect, if it is
    /// `ECONNREFUSED`.
    static let current = PlatformCapabilities(
        pausesTransfers: false,
        rewindsBodies: false,
        streamsBodies: false,
        decodesEveryCoding: true,
        deliversUnansweredChallenges: false,
        reportsEmptyResponsesAsBad: true,
        remembersRefusals: true,
        readsEnvironment: true
    )
}
#endif
