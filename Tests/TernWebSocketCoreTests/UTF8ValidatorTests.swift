// SPDX-License-Identifier: Apache-2.0

import TernWebSocketCore
import TestSupport
import Testing

@Suite("UTF8Validator")
struct UTF8ValidatorTests {
    /// Returns the validator's result for the bytes in these pieces.
    private static func isValid(_ pieces: ArraySlice<UInt8>...) -> Bool {
        var validator = UTF8Validator()
        for piece in pieces {
            guard validator.validate(piece.span.bytes) else { return false }
        }
        return validator.isComplete
    }

    /// Returns the index of the first piece that the validator refuses.
    private static func firstRefused(_ pieces: [[UInt8]]) -> Int? {
        var validator = UTF8Validator()
        return pieces.firstIndex { !validator.validate(ContiguousArray($0).span.bytes) }
    }

    private static func check(_ bytes: [UInt8], sourceLocation: SourceLocation = #_sourceLocation) {
        let expected = String(validating: bytes, as: UTF8.self) != nil
        var isRight = Self.isValid(bytes[...]) == expected
        for cut in bytes.indices.dropFirst() {
            isRight = isRight && Self.isValid(bytes[..<cut], bytes[cut...]) == expected
        }
        // `#expect` is slow, and the tests make millions of these checks.
        if !isRight { Issue.record("wrong about \(bytes)", sourceLocation: sourceLocation) }
    }

    @Test
    func `all sequences of one and two bytes are judged as the standard library does`() {
        for first in UInt8.min...UInt8.max {
            Self.check([first])
            for second in UInt8.min...UInt8.max { Self.check([first, second]) }
        }
    }

    /// Bytes to test: one byte of each class, and both ends of each range that a rule names.
    static let telling: [UInt8] = [
        0x00, 0x41, 0x7F, 0x80, 0x8F, 0x90, 0x9F, 0xA0, 0xBF, 0xC0, 0xC1, 0xC2, 0xDF, 0xE0, 0xE1, 0xEC, 0xED, 0xEE,
        0xEF,
        0xF0, 0xF1, 0xF3, 0xF4, 0xF5, 0xFF,
    ]

    @Test(arguments: telling)
    func `sequences of three and four bytes are judged as the standard library does`(_ first: UInt8) {
        for second in Self.telling {
            for third in Self.telling {
                Self.check([first, second, third])
                for fourth: UInt8 in [0x41, 0x7F, 0x80, 0xBF, 0xC0] { Self.check([first, second, third, fourth]) }
            }
        }
    }

    @Test
    func `every scalar is valid, and no part of one is complete`() {
        var bytes: [UInt8] = []
        for value in stride(from: UInt32(0), through: 0x10FFFF, by: 61) {
            guard let scalar = Unicode.Scalar(value) else { continue }
            let encoded = Array(String(Character(scalar)).utf8)
            if !Self.isValid(encoded[...]) { Issue.record("\(scalar) is refused") }
            if encoded.count > 1, Self.isValid(encoded.dropLast()[...]) { Issue.record("\(scalar) is cut") }
            bytes += encoded
        }
        #expect(Self.isValid(bytes[...]))
    }

    @Test
    func `one wrong byte is found at any place of a long text`() {
        for text in [String(repeating: "a", count: 200), String(repeating: "äb€😀", count: 20)] {
            let good = Array(text.utf8)
            for place in good.indices {
                for wrong: UInt8 in [0xFF, 0xC0] {
                    var bytes = good
                    bytes[place] = wrong
                    #expect(Self.firstRefused([bytes]) == 0)
                }
            }
        }
    }

    @Test
    func `mixed text with a changed byte is judged as the standard library does, in any two pieces`() {
        let scalars: [Unicode.Scalar] = [
            "a", "~", "\u{80}", "ä", "\u{7FF}", "\u{800}", "€", "\u{FFFD}", "😀", "\u{10FFFF}",
        ]
        var generator = SeededGenerator(seed: 3629)
        for _ in 0..<2_000 {
            var text = ""
            for _ in 0..<Int.random(in: 0...40, using: &generator) {
                let scalar = scalars.randomElement(using: &generator) ?? "a"
                let count = scalar.isASCII ? Int.random(in: 1...90, using: &generator) : 1
                text.unicodeScalars.append(contentsOf: repeatElement(scalar, count: count))
            }
            var bytes = Array(text.utf8)
            if Bool.random(using: &generator), let place = bytes.indices.randomElement(using: &generator) {
                bytes[place] = UInt8.random(in: 0...255, using: &generator)
            }
            let expected = String(validating: bytes, as: UTF8.self) != nil
            let cut = Int.random(in: 0...bytes.count, using: &generator)
            #expect(Self.isValid(bytes[...]) == expected)
            #expect(Self.isValid(bytes[..<cut], bytes[cut...]) == expected)
        }
    }

    @Test
    func `a character at any place of a long text is found valid, and its half is not`() {
        for prefix in 0..<140 {
            let text = String(repeating: "a", count: prefix) + "€" + String(repeating: "b", count: 70)
            let bytes = Array(text.utf8)
            #expect(Self.isValid(bytes[...]))
            #expect(!Self.isValid(bytes[..<(prefix + 2)]))
            #expect(!Self.isValid((bytes[..<(prefix + 2)] + bytes[(prefix + 3)...])[...]))
        }
    }

    @Test
    func `it fails at the first byte that cannot be`() {
        for (start, wrong) in [(0xED, 0xA0), (0xF4, 0x90), (0xE0, 0x9F), (0xF0, 0x8F)] as [(UInt8, UInt8)] {
            #expect(Self.firstRefused([[start], [wrong]]) == 1)
        }
    }

    @Test
    func `once it is wrong it stays wrong`() {
        var validator = UTF8Validator()
        #expect(validator.isComplete)
        for bytes: [UInt8] in [[0xFF], [], [0x41]] {
            let isAccepted = validator.validate(ContiguousArray(bytes).span.bytes)
            #expect(!isAccepted)
            #expect(!validator.isComplete)
        }
    }

    @Test
    func `nothing is a text`() { #expect(Self.isValid([])) }
}
