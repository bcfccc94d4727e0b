// SPDX-License-Identifier: Apache-2.0
import TernTransfers
import TestSupport
import Testing

/// A folder with a partial file, its record and the destination, of which a crash keeps what was synchronized.
///
/// Between two synchronizations, the disk may or may not have each byte and each change of a name. A crash draws.
struct SimulatedDisk {
    /// The names in the folder.
    struct Names {
        var hasPartialFile = false
        var record: [UInt8]?
        var isInPlace = false
    }

    /// The content of the only file, as the process sees it.
    private(set) var content: [UInt8] = []
    /// The content at the last synchronization of the file.
    private var durableContent: [UInt8] = []
    /// The names on the disk, then after each change since the last synchronization of the folder.
    private var journal = [Names()]

    var names: Names { self.journal[self.journal.count - 1] }

    /// The state that a new call finds.
    var found: FoundFiles {
        FoundFiles(
            partialByteCount: self.names.hasPartialFile ? Int64(self.content.count) : nil,
            partialNumber: self.names.hasPartialFile ? 7 : nil,
            destination: self.names.isInPlace ? .init(byteCount: Int64(self.content.count), number: 7) : nil
        )
    }

    var stored: StoredRecord {
        guard let bytes = self.names.record else { return .absent }
        do throws(DownloadRecord.Problem) {
            return .usable(try DownloadRecord(decoding: bytes))
        } catch {
            return .unusable(error)
        }
    }

    mutating func open() {
        guard !self.names.hasPartialFile else { return }
        (self.content, self.durableContent) = ([], [])
        self.rename {
            $0.hasPartialFile = true
            $0.isInPlace = false
        }
        // From here on, the test follows the new file, and not one that an earlier call has moved into its place.
        if self.journal.contains(where: \.isInPlace) { self.journal = [self.names] }
    }

    mutating func write(_ bytes: [UInt8], at offset: Int64) {
        let end = Int(offset) + bytes.count
        if self.content.count < end { self.content += [UInt8](repeating: 0, count: end - self.content.count) }
        self.content.replaceSubrange(Int(offset)..<end, with: bytes)
    }

    /// Ends a synchronization that began when the file had this content.
    mutating func synchronize(_ content: [UInt8]) { self.durableContent = content }

    mutating func perform(_ step: FileStep) {
        switch step {
        case .writeRecord(let record): self.rename { $0.record = record.encoded }
        case .discardRecord: self.rename { $0.record = nil }
        case .synchronizeFolder: self.journal = [self.names]
        case .truncate(let byteCount):
            self.content = Array(self.content.prefix(Int(byteCount)))
        case .reserve(let byteCount):
            self.content += [UInt8](repeating: 0, count: max(0, Int(byteCount) - self.content.count))
        case .synchronize: self.synchronize(self.content)
        case .checkDigest, .confirm: break
        case .moveIntoPlace:
            self.rename {
                $0.hasPartialFile = false
                $0.isInPlace = true
            }
        case .deletePartialFile: self.rename { $0.hasPartialFile = false }
        }
    }

    private mutating func rename(_ change: (inout Names) -> Void) {
        var names = self.names
        change(&names)
        self.journal.append(names)
    }

    mutating func crash(using generator: inout SeededGenerator) {
        let count = [self.content.count, self.durableContent.count].randomElement(using: &generator) ?? 0
        let bytes = (0..<count).map { index -> UInt8 in
            let choices = [self.content, self.durableContent].compactMap { $0.indices.contains(index) ? $0[index] : 0 }
            return choices.randomElement(using: &generator) ?? 0
        }
        (self.content, self.durableContent) = (bytes, bytes)
        self.journal = [self.journal.randomElement(using: &generator) ?? Names()]
    }

    /// Checks that no crash at this moment leaves a record that is not true, or a destination that is not whole.
    func check(_ server: SimulatedServer, _ note: String) {
        for names in self.journal {
            if names.isInPlace {
                #expect(server.isWholeVersion(self.durableContent), "\(note): the destination is not whole")
            }
            guard names.hasPartialFile, let bytes = names.record else { continue }
            guard let record = try? DownloadRecord(decoding: bytes) else {
                Issue.record("\(note): the record is damaged")
                continue
            }
            for range in record.ranges.ranges {
                for position in range {
                    let expected = server.byte(at: position, of: record.validator.entityTag ?? "")
                    guard Int(position) < self.durableContent.count, Int(position) < self.content.count,
                        self.durableContent[Int(position)] == expected, self.content[Int(position)] == expected
                    else {
                        Issue.record("\(note): the record claims byte \(position), which is not on the disk")
                        return
                    }
                }
            }
        }
    }
}
