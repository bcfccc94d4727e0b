// SPDX-License-Identifier: Apache-2.0

package enum Hexadecimal {
    package static func digits(of bytes: UnsafeRawBufferPointer) -> String {
        String(unsafeUninitializedCapacity: 2 * bytes.count) { text in
            for (index, byte) in bytes.enumerated() {
                text[2 * index] = Self.digit(byte >> 4)
                text[2 * index + 1] = Self.digit(byte & 15)
            }
            return 2 * bytes.count
        }
    }

    /// Returns a number with at least `count` hexadecimal digits, with zeros in front if needed.
    package static func padded(_ value: UInt64, count: Int) -> String {
        let digits = String(value, radix: 16)
        return String(repeating: "0", count: max(0, count - digits.utf8.count)) + digits
    }

    package static func random128(using generator: inout some RandomNumberGenerator) -> String {
        let (high, low): (UInt64, UInt64) = (generator.next(), generator.next())
        return Self.padded(high, count: 16) + Self.padded(low, count: 16)
    }

    package static func random128() -> String {
        var generator = SystemRandomNumberGenerator()
        return Self.random128(using: &generator)
    }

    private static func digit(_ value: UInt8) -> UInt8 {
        value < 10 ? UInt8(ascii: "0") + value : UInt8(ascii: "a") + value - 10
    }
}
