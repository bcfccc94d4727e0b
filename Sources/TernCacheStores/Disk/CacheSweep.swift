// SPDX-License-Identifier: Apache-2.0
import TernFoundation

/// Measures the folder of a cache, because there is no other index, deletes abandoned files, and makes room.
///
/// Abandoned files are unfinished files of processes that have ended, and bodies that no head file names. To make room, a sweep
/// deletes the entries of the least recently used URLs, the oldest of a URL first, until the size is a tenth below the limit.
struct CacheSweep {
    private struct Head {
        let file: CacheFiles.Found
        /// The names of the bodies, the latest first.
        let bodies: [String]

        /// In nanoseconds since 1970; a damaged head file only takes space, so its time is 0 and the sweep deletes it first.
        var lastUse: Int64 { self.bodies.isEmpty ? 0 : self.file.time }
    }

    let files: CacheFiles
    /// Runs a closure that deletes or shortens a head file, while no other task changes the file.
    var changing: (() -> Void) -> Void = { $0() }
    var now = Int64(Date().timeIntervalSince1970) * 1_000_000_000

    /// Returns the remaining size, including the files that processes are still writing.
    func run(limit: CacheSize) -> CacheSize {
        // List the unfinished files before the bodies, so that no file is missed. A file that becomes a body between
        // the two lists keeps its name, so that it counts once.
        let unfinished = self.files.list(.temporary)
        var bodies: [String: Int64] = [:]
        for body in self.files.list(.body) { bodies[body.name] = body.cost }
        var size = CacheSize()
        for file in unfinished where !self.files.deleteIfAbandoned(.temporary, file.name) {
            if bodies[file.name] == nil { size.byteCount += file.cost }
        }
        let heads = self.heads()
        for name in self.orphans(bodies.keys, heads) {
            self.files.delete(.body, name)
            bodies[name] = nil
        }
        size.byteCount += bodies.values.reduce(0, +) + heads.reduce(0) { $0 + $1.file.cost }
        size.entryCount = heads.reduce(0) { $0 + $1.bodies.count }
        guard !size.fits(limit) else { return size }
        let goal = limit.afterMakingRoom
        for head in self.inOrderOfUse(heads) {
            guard !size.fits(goal) else { break }
            var left = size
            var count = head.bodies.count
            while count > 0, !left.fits(goal) {
                count -= 1
                let byteCount = bodies[head.bodies[count]] ?? 0
                left = left.changed(by: CacheSize(byteCount: -byteCount, entryCount: -1))
            }
            if count == 0 { left = left.changed(by: CacheSize(byteCount: -head.file.cost)) }
            var isShortened = false
            self.changing { isShortened = self.shorten(head, to: count) }
            guard isShortened else { continue }  // the head was used or rewritten after it was listed
            for body in head.bodies[count...] { self.files.delete(.body, body) }
            size = left
        }
        return size
    }

    /// Leaves the latest entries in a head file, unless it has changed; a file without entries is deleted.
    private func shorten(_ head: Head, to count: Int) -> Bool {
        let (name, time) = (head.file.name, head.file.time)
        guard count > 0, let key = CacheKey(name: name) else {
            return self.files.delete(.head, name, ifUnchangedSince: time)
        }
        guard self.files.isUnchanged(.head, name, since: time) else { return false }
        let records = CacheRecord.decode(self.files.read(.head, name), of: key)
        do throws(CacheStoreError) {
            let content = CacheRecord.encode(Array(records.prefix(count)), of: key).content
            try self.files.replace(.head, name, with: content, time: time)
            return true
        } catch {
            return false
        }
    }

    /// Puts files with a use in the future first: it is from before the clock was set back, and until then, they would outlast all
    /// new files.
    private func inOrderOfUse(_ heads: [Head]) -> [Head] {
        let latest = self.now.addingReportingOverflow(Self.toleratedNanoseconds).partialValue
        let (known, unknown) = (heads.filter { $0.lastUse <= latest }, heads.filter { $0.lastUse > latest })
        return unknown.sorted { $0.lastUse < $1.lastUse } + known.sorted { $0.lastUse < $1.lastUse }
    }

    /// The time by which the clock may go back, in nanoseconds: a minute, as for the age of a response.
    private static let toleratedNanoseconds: Int64 = 60_000_000_000

    /// Returns the bodies that no head file names, and that no process is about to name in a head file.
    private func orphans(_ bodies: some Sequence<String>, _ heads: [Head]) -> [String] {
        let named = Set(heads.flatMap(\.bodies))
        let abandoned = bodies.filter { !named.contains($0) && self.files.isAbandoned(.body, $0) }
        guard !abandoned.isEmpty else { return [] }
        // After the heads were read, a process may have named a body in a head file, and then closed the body. Now all
        // these bodies are closed, so no process names them from now on. Read the heads once more, to find the bodies
        // that were named in the meantime.
        let namedMeanwhile = Set(self.heads().flatMap(\.bodies))
        return abandoned.filter { !namedMeanwhile.contains($0) }
    }

    private func heads() -> [Head] {
        self.files.list(.head).map { file in
            guard let key = CacheKey(name: file.name) else { return Head(file: file, bodies: []) }
            let records = CacheRecord.decode(self.files.read(.head, file.name), of: key)
            return Head(file: file, bodies: records.map(\.entry.id))
        }
    }
}
