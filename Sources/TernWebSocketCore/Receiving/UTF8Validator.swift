// SPDX-License-Identifier: Apache-2.0

/// Checks that a text is UTF-8 (RFC 3629, RFC 6455 §8.1), without overlong forms or surrogates, with a table of transitions.
package struct UTF8Validator: Hashable, Sendable {
    private var state = Self.accepting

    package init() {}

    package var isComplete: Bool { self.state == Self.accepting }

    /// Checks the next bytes, and returns `false` from the first invalid byte on.
    package mutating func validate(_ bytes: RawSpan) -> Bool {
        self.state = bytes.withUnsafeBytes { Self.state(after: $0, from: self.state) }
        return self.state != Self.refusing
    }

    @inline(__always)
    private static func state(after bytes: UnsafeRawBufferPointer, from start: UInt64) -> UInt64 {
        var offset = start == Self.accepting ? Self.endOfASCII(bytes, from: 0) : 0
        if offset == bytes.count { return start }
        return Self.transitions.withUnsafeBufferPointer { transitions in
            var state = start
            while offset < bytes.count {
                let end = min(offset + Self.blockByteCount, bytes.count)
                while offset < end {
                    state = transitions[Int(bytes[offset])] &>> state & 63
                    offset += 1
                }
                if state == Self.refusing { break }
                if state == Self.accepting { offset = Self.endOfASCII(bytes, from: offset) }
            }
            return state
        }
    }

    private static let blockByteCount = 8

    @inline(__always)
    private static func endOfASCII(_ bytes: UnsafeRawBufferPointer, from start: Int) -> Int {
        let (count, high) = (bytes.count, UInt64(0x8080_8080_8080_8080))
        var offset = start
        func word(_ position: Int) -> UInt64 { bytes.loadUnaligned(fromByteOffset: position, as: UInt64.self) }
        while offset + 64 <= count {
            let first = word(offset) | word(offset + 8) | word(offset + 16) | word(offset + 24)
            let second = word(offset + 32) | word(offset + 40) | word(offset + 48) | word(offset + 56)
            if (first | second) & high != 0 { break }
            offset += 64
        }
        while offset + 8 <= count {
            if word(offset) & high != 0 { return offset }
            offset += 8
        }
        while offset < count, bytes[offset] < 0x80 { offset += 1 }
        return offset
    }
}

// MARK: The machine

extension UTF8Validator {
    // The value of a state is the position of six bits in a word of `transitions`; these bits are the next state.
    private static let accepting: UInt64 = 0
    private static let refusing: UInt64 = 6
    private static let awaitingOne: UInt64 = 12
    private static let awaitingTwo: UInt64 = 18
    private static let awaitingThree: UInt64 = 24
    private static let afterE0: UInt64 = 30
    private static let afterED: UInt64 = 36
    private static let afterF0: UInt64 = 42
    private static let afterF4: UInt64 = 48

    /// In each state, the six bits at the state's position are the next state (The Unicode Standard, table 3-7).
    private static let transitions: [UInt64] = (0...255).map { byte in
        let rules: [(from: UInt64, bytes: ClosedRange<Int>, to: UInt64)] = [
            (Self.accepting, 0x00...0x7F, Self.accepting),
            (Self.accepting, 0xC2...0xDF, Self.awaitingOne),
            (Self.accepting, 0xE0...0xE0, Self.afterE0),
            (Self.accepting, 0xE1...0xEC, Self.awaitingTwo),
            (Self.accepting, 0xED...0xED, Self.afterED),
            (Self.accepting, 0xEE...0xEF, Self.awaitingTwo),
            (Self.accepting, 0xF0...0xF0, Self.afterF0),
            (Self.accepting, 0xF1...0xF3, Self.awaitingThree),
            (Self.accepting, 0xF4...0xF4, Self.afterF4),
            (Self.awaitingOne, 0x80...0xBF, Self.accepting),
            (Self.awaitingTwo, 0x80...0xBF, Self.awaitingOne),
            (Self.awaitingThree, 0x80...0xBF, Self.awaitingTwo),
            (Self.afterE0, 0xA0...0xBF, Self.awaitingOne),  // no overlong form of U+0000...U+07FF
            (Self.afterED, 0x80...0x9F, Self.awaitingOne),  // no surrogate
            (Self.afterF0, 0x90...0xBF, Self.awaitingTwo),  // no overlong form of U+0800...U+FFFF
            (Self.afterF4, 0x80...0x8F, Self.awaitingTwo),  // nothing above U+10FFFF
        ]
        var word: UInt64 = 0
        for state in stride(from: Self.accepting, through: Self.afterF4, by: 6) {
            let rule = rules.first { $0.from == state && $0.bytes ~= byte }
            word |= (rule?.to ?? Self.refusing) << state
        }
        return word
    }
}
