// SPDX-License-Identifier: Apache-2.0

/// Measures a cache's folder, and deletes files that ended processes left behind.
///
/// Then it deletes the least recently used entries until the rest fits.
///
/// The folder itself is the index; a separate index could become inconsistent.
struct CacheSweep {
    /// The file of a URL, and the bodies that it names.
    private struct Head {
        let file: CacheFiles.Found
        let bodies: [String]

        /// The time of the last use.
        ///
        /// A damaged head names no body and only takes space, so it goes first.
        var lastUse: Int64 { self.bodies.isEmpty ? 0 : self.file.time }
    }

    let files: CacheFiles
    /// Runs the deletion of a file of heads, so that no other task changes it at the same time.
    var deleting: (() -> Void) -> Void = { $0() }

    /// Runs the sweep.
    ///
    /// - Returns: The remaining size, including files that are being written.
    func run(limit: CacheSize) -> CacheSize {
        // List the unfinished files before the bodies, so that none is missed. A file that becomes a body between the
        // two lists keeps its name, and counts once.
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
        for head in heads.sorted(by: { $0.lastUse < $1.lastUse }) {
            guard !size.fits(goal) else { break }
            var isDeleted = false
            self.deleting {
                isDeleted = self.files.delete(.head, head.file.name, ifUnchangedSince: head.file.time)
            }
            guard isDeleted else { continue }  // it was used or rewritten after it was listed
            size = size.changed(by: CacheSize(byteCount: -head.file.cost, entryCount: -head.bodies.count))
            for body in head.bodies {
                self.files.delete(.body, body)
                size.byteCount -= bodies[body] ?? 0
            }
        }
        return size
    }

    /// Returns the bodies that no head names, and that no process is about to name in a head.
    private func orphans(_ bodies: some Sequence<String>, _ heads: [Head]) -> [String] {
        let named = Set(heads.flatMap(\.bodies))
        let abandoned = bodies.filter { !named.contains($0) && self.files.isAbandoned(.body, $0) }
        guard !abandoned.isEmpty else { return [] }
        // The process may have named the body in a head after the heads were read, and then closed the body. Now that
        // the body is closed, no process can name it, so the heads are read once more.
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
