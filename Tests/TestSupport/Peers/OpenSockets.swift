// SPDX-License-Identifier: Apache-2.0
import Foundation
import TernCLibrary

/// Counts the open TCP sockets of this process, as Linux reports them.
public enum OpenSockets: Sendable {
    /// Returns the number of sockets to a port that one test uses alone: connected, connecting, or not closed.
    public static func count(toPort port: Int) -> Int { Self.numbers(toPort: port).count }

    /// Returns the numbers that the system's tables give to the sockets that ``count(toPort:)`` counts.
    public static func numbers(toPort port: Int) -> Set<Substring> {
        let descriptors = Self.descriptors()
        let connected = descriptors.filter { Self.remotePort(of: $0) == port }
        // The system's table is long and takes milliseconds, so it is read only for sockets that are still connecting.
        let connecting = descriptors.filter(Self.isConnecting)
        let isInTable = connecting.isEmpty ? [] : Self.sockets(toPort: port)
        return Set(connected.compactMap(Self.number))
            .union(connecting.compactMap(Self.number).filter(isInTable.contains))
    }

    /// Returns the lines of the system's table for these sockets, for the message of a test that fails.
    public static func lines(toPort port: Int) -> String {
        let sockets = Self.descriptors().filter { Self.remotePort(of: $0) == port || Self.isConnecting($0) }
        let tables = ["/proc/self/net/tcp", "/proc/self/net/tcp6"].flatMap {
            String(decoding: Self.content(of: $0), as: UTF8.self).split(separator: "\n")
        }
        let lines = sockets.map { descriptor in
            let number = Self.number(of: descriptor).map(String.init) ?? "?"
            let line = tables.first { $0.split(separator: " ").dropFirst(9).first.map(String.init) == number }
            return "descriptor \(descriptor), socket \(number): \(line ?? "in no table")"
        }
        return lines.joined(separator: "; ")
    }

    private static func descriptors() -> [CInt] {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd")) ?? []
        return names.compactMap { CInt($0) }
    }

    private static func number(of descriptor: CInt) -> Substring? {
        let link = try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/fd/\(descriptor)")
        return link?.wholeMatch(of: /socket:\[(\d+)\]/)?.1
    }

    private static func remotePort(of descriptor: CInt) -> Int? {
        var address = sockaddr_storage()
        var length = socklen_t(MemoryLayout<sockaddr_storage>.size)
        return withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
                guard getpeername(descriptor, address, &length) == 0 else { return nil }
                // IPv4 and IPv6 addresses have the port in the same place.
                guard [AF_INET, AF_INET6].contains(CInt(address.pointee.sa_family)) else { return nil }
                return address.withMemoryRebound(to: sockaddr_in.self, capacity: 1) { address in
                    Int(UInt16(bigEndian: address.pointee.sin_port))
                }
            }
        }
    }

    private static func sockets(toPort port: Int) -> Set<Substring> {
        let digits = String(port, radix: 16, uppercase: true)
        let suffix = ":" + String(repeating: "0", count: 4 - digits.count) + digits
        var numbers: Set<Substring> = []
        for table in ["/proc/self/net/tcp", "/proc/self/net/tcp6"] {
            let table = Self.content(of: table)
            // The table is long and is read often, so the code parses only lines that contain the port.
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

    /// Reads in pages: such a file reports no length, and Foundation would read only the first page.
    private static func content(of path: String) -> Data {
        var content = Data()
        guard let file = FileHandle(forReadingAtPath: path) else { return content }
        while let page = try? file.read(upToCount: 1 << 16), !page.isEmpty { content.append(page) }
        return content
    }
}
