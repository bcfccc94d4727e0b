// SPDX-License-Identifier: Apache-2.0
import Foundation

/// The TCP sockets that this process holds, as Linux reports them.
public enum OpenSockets: Sendable {
    /// How many are connected to a port, are being connected, or were and have not been closed.
    ///
    /// A test that has a port to itself sees its own connections only, whatever other tests do meanwhile.
    public static func count(toPort port: Int) -> Int {
        Self.descriptors().intersection(Self.sockets(toPort: port)).count
    }

    /// The numbers of the sockets among this process's descriptors.
    private static func descriptors() -> Set<Substring> {
        let folder = "/proc/self/fd"
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
        let links = names.compactMap { try? FileManager.default.destinationOfSymbolicLink(atPath: "\(folder)/\($0)") }
        return Set(links.compactMap { $0.wholeMatch(of: /socket:\[(\d+)\]/)?.1 })
    }

    /// The numbers of all sockets, of any process, whose remote port this is.
    private static func sockets(toPort port: Int) -> Set<Substring> {
        let digits = String(port, radix: 16, uppercase: true)
        let suffix = ":" + String(repeating: "0", count: 4 - digits.count) + digits
        var numbers: Set<Substring> = []
        for table in ["/proc/self/net/tcp", "/proc/self/net/tcp6"] {
            let table = Self.content(of: table)
            // The table is long and asked for often, so only lines that hold the port are looked at.
            var start = table.startIndex
            while let hit = table[start...].range(of: Data("\(suffix) ".utf8)) {
                let lineStart = table[..<hit.lowerBound].lastIndex(of: UInt8(ascii: "\n")).map { $0 + 1 } ?? 0
                let lineEnd = table[hit.upperBound...].firstIndex(of: UInt8(ascii: "\n")) ?? table.endIndex
                // sl, local address, remote address, state, queues, timer, retransmissions, user, timeout, inode, …
                let columns = String(decoding: table[lineStart..<lineEnd], as: UTF8.self).split(separator: " ")
                if columns.count > 9, columns[2].hasSuffix(suffix) { numbers.insert(columns[9]) }
                start = lineEnd
            }
        }
        return numbers
    }

    /// What a file of the system holds, which has no length and comes in pages, so that Foundation reads the first only.
    private static func content(of path: String) -> Data {
        var content = Data()
        guard let file = FileHandle(forReadingAtPath: path) else { return content }
        while let page = try? file.read(upToCount: 1 << 16), !page.isEmpty { content.append(page) }
        return content
    }
}
