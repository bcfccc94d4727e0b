// SPDX-License-Identifier: Apache-2.0
// Compiled against stand-ins (scripts/check apple); never run.

#if canImport(Darwin)
extension PlatformCapabilities {
    static let current = PlatformCapabilities(
        pausesTransfers: true,
        rewindsBodies: true,
        streamsBodies: true,
        decodesEveryCoding: false,
        deliversUnansweredChallenges: true,
        reportsEmptyResponsesAsBad: false,
        remembersRefusals: false,
        readsEnvironment: false
    )
}
#endif
