// SPDX-License-Identifier: Apache-2.0

/// An IPv6 address, which has many textual forms and one recommended form (RFC 5952).
struct IPv6Address {
    private let groups: [UInt16]

    init?(_ bytes: borrowing Span<UInt8>, from start: Int, to end: Int) {
        var groups: [UInt16] = []
        var gap: Int?
        var index = start
        while index < end {
            if bytes[index] == UInt8(ascii: ":") {
                // Either "::", or the single colon before the next group.
                if index + 1 < end, bytes[index + 1] == UInt8(ascii: ":") {
                    guard gap == nil else { return nil }
                    gap = groups.count
                    index += 2
                    continue
                }
                guard index > start, bytes[index - 1] != UInt8(ascii: ":"), index + 1 < end else { return nil }
                index += 1
            }
            let group = index
            var value: UInt16 = 0
            while index < end, let digit = bytes[index].hexValue {
                value = value << 4 | UInt16(digit)
                index += 1
            }
            if index < end, bytes[index] == UInt8(ascii: ".") {
                guard HostParser.isIPv4(bytes, from: group, to: end) else { return nil }
                groups += Self.groups(ofIPv4: bytes.extracting(group..<end))
                index = end
            } else {
                guard 1...4 ~= index - group, index == end || bytes[index] == UInt8(ascii: ":") else { return nil }
                groups.append(value)
            }
            guard groups.count <= 8 else { return nil }
        }
        if let gap {
            guard groups.count <= 7 else { return nil }
            groups.insert(contentsOf: repeatElement(0, count: 8 - groups.count), at: gap)
        }
        guard groups.count == 8 else { return nil }
        self.groups = groups
    }

    private static func groups(ofIPv4 bytes: borrowing Span<UInt8>) -> [UInt16] {
        var numbers: [UInt16] = [0]
        for index in bytes.indices {
            if bytes[index] == UInt8(ascii: ".") {
                numbers.append(0)
            } else {
                numbers[numbers.count - 1] = numbers[numbers.count - 1] * 10 + UInt16(bytes[index] - UInt8(ascii: "0"))
            }
        }
        return [numbers[0] << 8 | numbers[1], numbers[2] << 8 | numbers[3]]
    }

    /// Whether the address is valid only within one network: `fe80::/10` (RFC 4291 §2.5.6).
    var isLinkLocal: Bool { self.groups[0] & 0xFFC0 == 0xFE80 }

    /// The recommended text (RFC 5952 §4); an IPv4-mapped address ends with its IPv4 address, as in `::ffff:192.0.2.1` (§5).
    var text: String {
        if self.groups[..<5].allSatisfy({ $0 == 0 }), self.groups[5] == 0xFFFF {
            let numbers = self.groups[6...].flatMap { [$0 >> 8, $0 & 0xFF] }
            return "::ffff:" + numbers.map { String($0) }.joined(separator: ".")
        }
        let zeros = self.longestRunOfZeros
        guard zeros.count > 1 else { return Self.text(self.groups[...]) }
        return "\(Self.text(self.groups[..<zeros.lowerBound]))::\(Self.text(self.groups[zeros.upperBound...]))"
    }

    /// The groups that `::` replaces if they are more than one: the first of the longest runs of zeros (RFC 5952 §4.2.2, §4.2.3).
    private var longestRunOfZeros: Range<Int> {
        var longest = 0..<0
        var start = 0
        for (index, group) in self.groups.enumerated() {
            if group != 0 {
                start = index + 1
            } else if index + 1 - start > longest.count {
                longest = start..<(index + 1)
            }
        }
        return longest
    }

    private static func text(_ groups: ArraySlice<UInt16>) -> String {
        groups.map { String($0, radix: 16) }.joined(separator: ":")
    }
}
