// SPDX-License-Identifier: Apache-2.0
import TernCLibrary

/// An IP address: 4 or 16 bytes in network order.
struct IPAddress: Hashable, Sendable {
    let bytes: [UInt8]

    var isIPv6: Bool { self.bytes.count == 16 }

    init?(_ text: some StringProtocol) {
        var (hasColon, byteCount) = (false, 0)
        for byte in text.utf8 {
            // The longest text is `0000:0000:0000:0000:0000:ffff:255.255.255.255`.
            byteCount += 1
            guard byteCount <= 45, byte.hexValue != nil || ".:".utf8.contains(byte) else { return nil }
            hasColon = hasColon || byte == UInt8(ascii: ":")
        }
        var bytes: [UInt8] = Array(repeating: 0, count: hasColon ? 16 : 4)
        let result = text.withCString { text in
            bytes.withUnsafeMutableBytes { inet_pton(hasColon ? AF_INET6 : AF_INET, text, $0.baseAddress) }
        }
        guard result == 1 else { return nil }
        self.bytes = bytes
    }

    private init(bytes: [UInt8]) { self.bytes = bytes }

    /// The IPv4 address of an IPv4-mapped IPv6 address (RFC 4291 §2.5.5.2); any other address is unchanged.
    var unmapped: IPAddress {
        self.isMapped ? IPAddress(bytes: Array(self.bytes.dropFirst(12))) : self
    }

    var isMapped: Bool {
        self.isIPv6 && self.bytes[10] == 0xFF && self.bytes[11] == 0xFF && self.bytes.prefix(10).allSatisfy { $0 == 0 }
    }

    /// Whether the address is in `127.0.0.0/8` (RFC 1122 §3.2.1.3) or is `::1` (RFC 4291 §2.5.3).
    var isLoopback: Bool {
        let bytes = self.unmapped.bytes
        return bytes.count == 4 ? bytes[0] == 127 : bytes.last == 1 && bytes.dropLast().allSatisfy { $0 == 0 }
    }

    func shares(_ bitCount: Int, with other: IPAddress) -> Bool {
        guard self.bytes.count == other.bytes.count else { return false }
        let (whole, rest) = (bitCount / 8, bitCount % 8)
        guard self.bytes.prefix(whole) == other.bytes.prefix(whole) else { return false }
        return rest == 0 || (self.bytes[whole] ^ other.bytes[whole]) >> (8 - rest) == 0
    }
}
