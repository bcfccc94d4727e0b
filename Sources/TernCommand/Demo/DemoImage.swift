// SPDX-License-Identifier: Apache-2.0

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// A picture in the format PPM: a short head, then three bytes for each pixel.
struct DemoImage {
    let width: Int
    let height: Int

    /// Reads a picture; `nil` if the data is none.
    init?(_ data: Data) {
        let head = String(decoding: data.prefix(32), as: UTF8.self).split(separator: "\n", maxSplits: 3)
        guard head.count > 2, head[0] == "P6", head[2] == "255" else { return nil }
        let size = head[1].split(separator: " ").compactMap { Int($0) }
        let headByteCount = head[..<3].reduce(0) { $0 + $1.utf8.count + 1 }
        guard size.count == 2, data.count == headByteCount + size[0] * size[1] * 3 else { return nil }
        self.width = size[0]
        self.height = size[1]
    }

    /// A picture of a dog in the fog.
    static func make(width: Int, height: Int) -> [UInt8] {
        let fog = (0..<width * height * 3).map { UInt8(truncatingIfNeeded: 200 + $0 % 7) }
        return Array("P6\n\(width) \(height)\n255\n".utf8) + fog
    }
}

/// What a large photo holds: bytes that look random, and that are the same every time.
enum DemoPhoto {
    /// How long it is: 13.1 MB.
    static let byteCount = 13_100_000

    /// Makes the bytes.
    static func make() -> Data {
        var words = [UInt64](repeating: 0, count: (Self.byteCount + 7) / 8)
        var state: UInt64 = 0x9E37_79B9_7F4A_7C15
        words.withUnsafeMutableBufferPointer { words in
            for index in words.indices {
                state ^= state << 13
                state ^= state >> 7
                state ^= state << 17
                words[index] = state
            }
        }
        return words.withUnsafeBytes { Data($0.prefix(Self.byteCount)) }
    }

    /// A sum that differs when the content does (FNV-1a, over words of eight bytes).
    static func checksum(of bytes: UnsafeRawBufferPointer) -> String {
        var sum: UInt64 = 0xCBF2_9CE4_8422_2325
        var offset = 0
        while offset + 8 <= bytes.count {
            let word = bytes.loadUnaligned(fromByteOffset: offset, as: UInt64.self)
            sum = (sum ^ UInt64(littleEndian: word)) &* 0x100_0000_01B3
            offset += 8
        }
        while offset < bytes.count {
            sum = (sum ^ UInt64(bytes[offset])) &* 0x100_0000_01B3
            offset += 1
        }
        return String(sum, radix: 16)
    }
}
