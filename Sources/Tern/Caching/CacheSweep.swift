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
        for file in self.files.list(.temporary) {
            if now - file.time > Self.silentNanoseconds {
                self.files.delete(.temporary, file.name)
            } else {
                byteCount += file.byteCount
            }
        }
        var bodies: [String: CacheFiles.Found] = [:]
        for body in self.files.list(.body) { bodies[body.name] = body }
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
