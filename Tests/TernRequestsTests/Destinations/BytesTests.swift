// SPDX-License-Identifier: Apache-2.0
import Testing

@testable import TernRequests

@Suite("Classes of bytes")
struct BytesTests {
    /// Returns all bytes that belong to a class, as text.
    private func members(_ isMember: (UInt8) -> Bool) -> String {
        String(decoding: (UInt8.min...UInt8.max).filter(isMember), as: UTF8.self)
    }

    private static let digits = "0123456789"
    private static let upper = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
    private static let lower = "abcdefghijklmnopqrstuvwxyz"

    @Test func `digits are ten`() { #expect(self.members(\.isDigit) == Self.digits) }

    @Test func `letters are those of ASCII`() { #expect(self.members(\.isLetter) == Self.upper + Self.lower) }

    @Test func `hexadecimal digits are 22`() { #expect(self.members(\.isHexDigit) == Self.digits + "ABCDEFabcdef") }

    @Test func `a scheme has letters, digits, plus, minus and dot`() {
        #expect(self.members(\.isSchemeByte) == "+-." + Self.digits + Self.upper + Self.lower)
    }

    @Test func `a label has letters, digits, minus and underscore`() {
        #expect(self.members(\.isNameByte) == "-" + Self.digits + Self.upper + "_" + Self.lower)
    }

    @Test func `unreserved are letters, digits and four marks`() {
        #expect(self.members(\.isUnreserved) == "-." + Self.digits + Self.upper + "_" + Self.lower + "~")
    }

    @Test func `a hexadecimal digit has a value, and nothing else has`() {
        for byte in UInt8.min...UInt8.max {
            let expected = byte.isHexDigit ? UInt8(String(Unicode.Scalar(byte)), radix: 16) : nil
            #expect(byte.hexValue == expected, "byte \(byte)")
        }
    }

    @Test(arguments: [("", ""), ("AbC-[@`{Z", "abc-[@`{z"), ("LONGER THAN FIFTEEN BYTES", "longer than fifteen bytes")])
    func `lowercasing changes letters only`(text: String, expected: String) {
        #expect(String(lowercasing: ContiguousArray(text.utf8).span) == expected)
    }

    @Test func `copying repairs what is not UTF-8`() {
        let bytes: [UInt8] = [0x61, 0xFF, 0xC3, 0xBC]
        #expect(String(copying: ContiguousArray(bytes).span) == "a\u{FFFD}ü")
    }
}
