// SPDX-License-Identifier: Apache-2.0

/// Writes bytes and numbers in base 16, in lower case.
package enum Hexadecimal {
    /// The bytes, each as two digits.
    ///
    /// - Parameter bytes: the bytes; may be none.
    /// - Returns: twice as many digits.
    package static func digits(of bytes: UnsafeRawBufferPointer) -> String {
        String(unsafeUninitializedCapacity: 2 * bytes.count) { text in
            for (index, byte) in bytes.enumerated() {
                text[2 * index] = Self.digit(byte >> 4)
                text[2 * index + 1] = Self.digit(byte & 15)
            }
            return 2 * bytes.count
        }
    }

    /// A number, with zeros before it.
    ///
    /// - Parameters:
    ///   - value: the number.
    ///   - count: how many digits there are at least.
    /// - Returns: the digits; more than `count` if the number needs them.
    package static func padded(_ value: UInt64, count: Int) -> String {
        let digits = String(value, radix: 16)
        return String(repeating: "0", count: max(0, count - digits.utf8.count)) + digits
    }

    /// 128 bits of a generator, as 32 digits.
    ///
    /// - Parameter generator: gives the bits.
    /// - Returns: the digits.
    package static func random128(using generator: inout some RandomNumberGenerator) -> String {
        let (high, low): (UInt64, UInt64) = (generator.next(), generator.next())
        return Self.padded(high, count: 16) + Self.padded(low, count: 16)
    }

    /// 128 bits of the system's generator, as 32 digits.
    ///
    /// - Returns: the digits.
    package static func random128() -> String {
        var generator = SystemRandomNumberGenerator()
        return Self.random128(using: &generator)
    }

    private static func digit(_ value: UInt8) -> UInt8 {
        value < 10 ? UInt8(ascii: "0") + value : UInt8(ascii: "a") + value - 10
    }
}
