// SPDX-License-Identifier: Apache-2.0

/// The Huffman code of HPACK (RFC 7541 §5.2 and Appendix B), whose 257 words follow from their ``lengths``.
struct HuffmanCode: Sendable {
    static let shared = HuffmanCode()

    /// The number of bits of an index of ``quick``; only rare bytes have longer words.
    private static let quickBitCount = 10
    private static let endOfString = 256

    /// The word of each byte, and of the end of the string, above 8 bits with the number of bits in the word.
    private let words: [UInt64]
    /// For each value of 10 bits, the byte whose word begins it, in 9 bits, and above them the word's length; 0 for longer words.
    private let quick: [UInt16]
    /// The numbers of the bytes, and 256 for the end of string, in the order of their words.
    private let ordered: [UInt16]
    /// For each length, the smallest number above all words of at most this length, aligned to the left in 32 bits.
    private let limits: [UInt64]
    /// For each length, the difference between the place of a word in `ordered` and the word as a number.
    private let places: [Int]

    private init() {
        var (words, quick) = (
            [UInt64](repeating: 0, count: 257), [UInt16](repeating: 0, count: 1 << Self.quickBitCount)
        )
        var (limits, places) = ([UInt64](repeating: 0, count: 32), [Int](repeating: 0, count: 32))
        let ordered = Self.lengths.indices.sorted { (Self.lengths[$0], $0) < (Self.lengths[$1], $1) }
        var (code, length): (UInt64, Int) = (0, 0)
        for (place, symbol) in ordered.enumerated() {
            while length < Int(Self.lengths[symbol]) {
                length += 1
                code <<= 1
                places[length] = place - Int(code)
                limits[length] = code << UInt64(32 - length)
            }
            words[symbol] = code << 8 | UInt64(length)
            if length <= Self.quickBitCount {
                let shift = Self.quickBitCount - length
                for low in 0..<1 << shift { quick[Int(code) << shift | low] = UInt16(length << 9 | symbol) }
            }
            code += 1
            limits[length] = code << UInt64(32 - length)
        }
        (self.words, self.quick, self.limits, self.places) = (words, quick, limits, places)
        self.ordered = ordered.map { UInt16($0) }
    }

    func encodedByteCount(_ text: UnsafeRawBufferPointer) -> Int {
        self.words.withUnsafeBufferPointer { words in
            var bitCount: UInt64 = 0
            for byte in text { bitCount &+= words[Int(byte)] & 0xFF }
            return Int((bitCount + 7) / 8)
        }
    }

    /// Appends the code of a text; `byteCount` is the length from ``encodedByteCount(_:)``.
    func encode(_ text: UnsafeRawBufferPointer, byteCount: Int, into output: inout [UInt8]) {
        let start = output.count
        output.append(contentsOf: repeatElement(0, count: byteCount))
        output.withUnsafeMutableBytes { target in
            self.words.withUnsafeBufferPointer { words in
                var (bits, bitCount, offset): (UInt64, UInt64, Int) = (0, 0, start)
                for byte in text {
                    let word = words[Int(byte)]
                    bits = bits << (word & 0xFF) | word >> 8
                    bitCount += word & 0xFF
                    while bitCount >= 8 {
                        bitCount -= 8
                        target[offset] = UInt8(truncatingIfNeeded: bits >> bitCount)
                        offset += 1
                    }
                }
                guard bitCount > 0 else { return }
                // "the most significant bits of the code corresponding to the EOS (end-of-string) symbol", which are 1.
                target[offset] = UInt8(truncatingIfNeeded: bits << (8 - bitCount) | 0xFF >> bitCount)
            }
        }
    }

    /// Returns an upper bound for the length of a decoded text, because the shortest word has 5 bits.
    static func decodedByteCountUpperBound(_ byteCount: Int) -> Int { byteCount * 8 / 5 + 1 }

    /// Decodes a text to `output`, with room for ``decodedByteCountUpperBound(_:)`` bytes, and returns its length.
    func decode(
        _ bytes: UnsafeRawBufferPointer,
        into output: UnsafeMutableRawBufferPointer
    ) throws(HTTP2Violation) -> Int {
        let room = output.count
        return try self.quick.withUnsafeBufferPointer { (quick) throws(HTTP2Violation) -> Int in
            // `bits` contains the next bits of the input, from the left. Only the first `bitCount` bits count. The
            // lower bits may contain input that is read again.
            var (bits, bitCount, offset, written): (UInt64, Int, Int, Int) = (0, 0, 0, 0)
            while true {
                if offset + 8 <= bytes.count {
                    let word = UInt64(bigEndian: bytes.loadUnaligned(fromByteOffset: offset, as: UInt64.self))
                    bits |= word &>> UInt64(truncatingIfNeeded: bitCount)
                    offset &+= (63 &- bitCount) &>> 3
                    bitCount |= 56
                } else {
                    while bitCount <= 56, offset < bytes.count {
                        bits |= UInt64(bytes[offset]) &<< UInt64(truncatingIfNeeded: 56 &- bitCount)
                        bitCount &+= 8
                        offset &+= 1
                    }
                }
                let isLast = offset >= bytes.count
                repeat {
                    var entry = Int(quick[Int(truncatingIfNeeded: bits &>> UInt64(64 - Self.quickBitCount))])
                    if entry == 0 { entry = self.longEntry(bits) }
                    let length = entry &>> 9
                    guard length <= bitCount, bitCount > 0 else {
                        try Self.checkPadding(bits, bitCount)
                        return written
                    }
                    if entry & 0x1FF == Self.endOfString { throw .invalidHuffmanCode }
                    guard written < room else { throw .invalidHuffmanCode }
                    output[written] = UInt8(truncatingIfNeeded: entry)
                    written &+= 1
                    bits = bits &<< UInt64(truncatingIfNeeded: length)
                    bitCount &-= length
                } while bitCount >= 30 || isLast
            }
        }
    }

    /// Returns the entry for a word that is too long for ``quick``.
    private func longEntry(_ bits: UInt64) -> Int {
        var length = Self.quickBitCount + 1
        while length < 30, bits >> 32 >= self.limits[length] { length += 1 }
        let place = Int(bits >> UInt64(64 - length)) + self.places[length]
        return length << 9 | Int(self.ordered[place])
    }

    /// Checks the padding: "A padding strictly longer than 7 bits MUST be treated as a decoding error", and so must "a padding not
    /// corresponding to the most significant bits of the code for the EOS symbol" (RFC 7541 §5.2).
    private static func checkPadding(_ bits: UInt64, _ bitCount: Int) throws(HTTP2Violation) {
        guard bitCount < 8 else { throw .invalidHuffmanCode }
        guard bitCount == 0 || ~bits >> UInt64(64 - bitCount) == 0 else { throw .invalidHuffmanCode }
    }
}
