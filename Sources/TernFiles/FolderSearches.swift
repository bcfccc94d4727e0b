// SPDX-License-Identifier: Apache-2.0

/// Decides when to search a folder for abandoned files: if each download searched, the time for all downloads into one folder
/// would grow with the square of their number.
package struct FolderSearches: Sendable {
    /// The minimum time between two searches of a folder that is still remembered.
    package static let interval = Duration.seconds(60)
    /// The maximum number of remembered folders.
    package static let maximumCount = 64

    private var latest: [String: ContinuousClock.Instant] = [:]

    package init() {}

    /// Returns whether to search a folder now, and records that search.
    package mutating func begins(in folder: String, at now: ContinuousClock.Instant) -> Bool {
        if let latest = self.latest[folder], now - latest < Self.interval { return false }
        if self.latest.count == Self.maximumCount {
            self.latest = self.latest.filter { now - $0.value < Self.interval }
            // A process that writes to so many folders at once searches some of them more often.
            if self.latest.count == Self.maximumCount { self.latest.removeAll() }
        }
        self.latest[folder] = now
        return true
    }
}
