// SPDX-License-Identifier: Apache-2.0

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// Counts what a cache's folder holds, deletes what is in nobody's use, and what was used longest ago until the rest fits.
///
/// There is no index that could be torn: the folder is the index.
struct CacheSweep {
    /// How old a file must be that no head names before it is deleted: another process may be about to name it.
    private static let orphanNanoseconds: Int64 = 3600 * 1_000_000_000
    /// How long a file may not have grown that is being written, in place of one that its writer has left behind.
    private static let silentNanoseconds: Int64 = 600 * 1_000_000_000

    let files: CacheFiles
    /// Runs what deletes a file of heads, so that nobody changes it meanwhile.
    var deleting: (() -> Void) -> Void = { $0() }

    /// - Returns: how many bytes are left.
    func run(limit: Int64) -> Int64 {
        let now = Int64(Date().timeIntervalSince1970) * 1_000_000_000
        var byteCount: Int64 = 0
        // Before the bodies, so that none is missed; one that becomes a body in between keeps its name, and counts once.
        let unfinished = self.files.list(.temporary)
        var bodies: [String: CacheFiles.Found] = [:]
        for body in self.files.list(.body) { bodies[body.name] = body }
        for file in unfinished where bodies[file.name] == nil {
            if now - file.time > Self.silentNanoseconds {
                self.files.delete(.temporary, file.name)
            } else {
                byteCount += file.byteCount
            }
        }
        let heads = self.files.list(.head)
        byteCount += bodies.values.reduce(0) { $0 + $1.byteCount } + heads.reduce(0) { $0 + $1.byteCount }
        var owned: [String: [String]] = [:]
        for head in heads { owned[head.name] = self.bodies(of: head.name) }
        let named = Set(owned.values.joined())
        for body in bodies.values where !named.contains(body.name) && now - body.time > Self.orphanNanoseconds {
            self.files.delete(.body, body.name)
            byteCount -= body.byteCount
        }
        guard byteCount > limit else { return byteCount }
        // A tenth more than is needed, so that it is not looked for at each insertion.
        for head in heads.sorted(by: { $0.time < $1.time }) {
            guard byteCount > limit - limit / 10 else { break }
            var isDeleted = false
            self.deleting { isDeleted = self.files.delete(.head, head.name, ifUnchangedSince: head.time) }
            guard isDeleted else { continue }  // it was used, or written anew, since it was listed
            byteCount -= head.byteCount
            for body in owned[head.name] ?? [] {
                self.files.delete(.body, body)
                byteCount -= bodies[body]?.byteCount ?? 0
            }
        }
        return byteCount
    }

    private func bodies(of name: String) -> [String] {
        guard let key = CacheKey(name: name) else { return [] }
        return CacheRecord.decode(self.files.read(.head, name), of: key).map(\.entry.id)
    }
}

/// How full a cache's folder is, as far as is known, and when it is to be counted.
///
/// Counting goes on beside everything else, one at a time. What is stored meanwhile may be counted twice: the next counting
/// comes too early then, and not too late.
struct FolderUsage {
    /// How much is there at most, in bytes.
    let limit: Int64
    /// What is there; `nil` before it was counted.
    private(set) var byteCount: Int64?
    private var isCounting = false
    private var addedMeanwhile: Int64 = 0

    init(limit: Int64) { self.limit = limit }

    /// Something was stored.
    ///
    /// - Returns: whether to count now.
    mutating func add(_ byteCount: Int64) -> Bool {
        guard !self.isCounting else {
            self.addedMeanwhile += byteCount
            return false
        }
        self.byteCount = self.byteCount.map { $0 + byteCount }
        if let byteCount = self.byteCount, byteCount <= self.limit { return false }
        self.isCounting = true
        return true
    }

    /// Something was deleted.
    mutating func subtract(_ byteCount: Int64) {
        guard !self.isCounting else { return }
        self.byteCount = self.byteCount.map { max(0, $0 - byteCount) }
    }

    /// It was counted, and what was too much deleted.
    ///
    /// - Parameter byteCount: what is left.
    /// - Returns: whether to count again, because of what was stored meanwhile.
    mutating func counted(_ byteCount: Int64) -> Bool {
        self.byteCount = byteCount + self.addedMeanwhile
        self.isCounting = self.addedMeanwhile > 0 && byteCount + self.addedMeanwhile > self.limit
        self.addedMeanwhile = 0
        return self.isCounting
    }
}
