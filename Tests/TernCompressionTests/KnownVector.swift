// SPDX-License-Identifier: Apache-2.0

import TernCompression
import Testing

/// Compressed bytes that Python's implementation wrote or can read.
struct KnownVector: CustomTestStringConvertible, Sendable {
    let name: String
    let format: CompressionFormat
    let compressed: [UInt8]
    let bytes: [UInt8]

    init(_ name: String, _ format: CompressionFormat, _ hexadecimal: String, _ bytes: [UInt8]) {
        (self.name, self.format, self.compressed, self.bytes) = (name, format, Self.bytes(hexadecimal), bytes)
    }

    var testDescription: String { self.name }

    static func bytes(_ hexadecimal: String) -> [UInt8] {
        let digits = hexadecimal.compactMap(\.hexDigitValue)
        return stride(from: 0, to: digits.count, by: 2).map { UInt8(digits[$0] << 4 | digits[$0 + 1]) }
    }

    static let text = Array("hello, hello, hello! hello, hello, hello! hello, hello, hello! ".utf8)
    private static let letters = (0..<200).map { (number: Int) in UInt8((number * number / 7 + number) % 23 + 97) }

    static let fixed = Self("fixed codes", .raw, "cb48cdc9c9d751c840a2145178f80501", Self.text)
    static let stored = Self(
        "a stored block",
        .raw,
        """
        013f00c0ff68656c6c6f2c2068656c6c6f2c2068656c6c6f212068656c6c6f2c2068656c6c6f2c2068656c6c6f212068656c6c6f2c2068\
        656c6c6f2c2068656c6c6f2120
        """,
        Self.text
    )
    static let dynamic = Self(
        "dynamic codes",
        .zlib,
        """
        78da8dce8111c3200840d1598322425410a3acdff4ae03f40ff0ee5f9090b8a96f28a20f505fc016a451676abb3a5ad6a4d9cae2d3b30b\
        4c06bff19860f8900267d96852a9e0b74255dab0755e6e78a0d8c1db812788e77e78959f875e774bb3865218c3ea048fbedc766d4c98e0\
        8af316d77f831fe7ec53f3
        """,
        Self.letters
    )
    static let zlib = Self("zlib", .zlib, "789ccb48cdc9c9d751c840a2145178f80501b4e51540", Self.text)
    static let smallWindow = Self(
        "zlib with a window of 9 bits",
        .zlib,
        "1895cb48cdc9c9d751c840a2145178f80501b4e51540",
        Self.text
    )
    static let gzip = Self(
        "gzip",
        .gzip,
        "1f8b0800000000000203cb48cdc9c9d751c840a2145178f80501304f00123f000000",
        Self.text
    )
    static let fullHeader = Self(
        "gzip with every field of a header",
        .gzip,
        "1f8b081f0102030400ff0400616200006e616d6500636f6d6d656e74001e114bcb4ccd4929060088e3e57e06000000",
        Array("fields".utf8)
    )
    static let emptyRaw = Self("nothing, raw", .raw, "0300", [])
    static let emptyZlib = Self("nothing, zlib", .zlib, "789c030000000001", [])
    static let emptyGzip = Self("nothing, gzip", .gzip, "1f8b080000000000020303000000000000000000", [])

    static let all = [
        Self.fixed, .stored, .dynamic, .zlib, .smallWindow, .gzip, .fullHeader, .emptyRaw, .emptyZlib, .emptyGzip,
    ]
}
