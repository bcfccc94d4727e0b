// SPDX-License-Identifier: Apache-2.0
import Foundation

/// The resident memory of this process, in bytes; 0 if the system does not report it.
enum ResidentMemory {
    static var byteCount: Int {
        get throws {
            guard let text = try? String(contentsOfFile: "/proc/self/statm", encoding: .utf8) else { return 0 }
            let pages = text.split(separator: " ").dropFirst().first.flatMap { Int($0) } ?? 0
            return pages * Int(sysconf(CInt(_SC_PAGESIZE)))
        }
    }

    /// The most that this process has used since it began, in bytes.
    ///
    /// Throws an error if the system does not report it.
    static var peakByteCount: Int {
        get throws {
            struct Missing: Error {}
            let lines = try String(contentsOfFile: "/proc/self/status", encoding: .utf8).split(separator: "\n")
            guard
                let words = lines.first(where: { $0.hasPrefix("VmHWM:") })?.split(whereSeparator: \.isWhitespace),
                words.count == 3, let kibibytes = Int(words[1])
            else { throw Missing() }
            return kibibytes << 10
        }
    }
}

/// The temporary files of downloads.
enum TemporaryFiles {
    static var names: Set<String> {
        get throws {
            let names = try FileManager.default.contentsOfDirectory(atPath: FileManager.default.temporaryDirectory.path)
            return Set(names.filter { $0.wholeMatch(of: /tern-[0-9a-z]+/) != nil })
        }
    }
}
