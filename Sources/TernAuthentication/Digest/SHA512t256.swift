// SPDX-License-Identifier: Apache-2.0

/// SHA-512/256 (FIPS 180-4 §6.7): SHA-512 from other initial values, cut to 256 bits.
///
/// Cutting off a plain SHA-512 gives another hash, which is why the libraries at hand are of no use here.
struct SHA512t256: Sendable {
    /// How many bytes are hashed together.
    private static let blockByteCount = 128

    /// FIPS 180-4 §5.3.6.2.
    private var state: [UInt64] = [
        0x2231_2194_FC2B_F72C, 0x9F55_5FA3_C84C_64C2, 0x2393_B86B_6F53_B151, 0x9638_7719_5940_EABD,
        0x9628_3EE2_A88E_FFE3, 0xBE5E_1E25_5386_3992, 0x2B01_99FC_2C85_B8AA, 0x0EB7_2DDC_81C5_2CA2,
    ]
    /// The sixteen last words of the message schedule (FIPS 180-4 §6.1.3: a circular queue is enough).
    private var words = [UInt64](repeating: 0, count: 16)
    private var pending: [UInt8] = []
    private var byteCount: UInt64 = 0

    /// Hashes more bytes.
    mutating func update(_ bytes: UnsafeRawBufferPointer) {
        self.byteCount &+= UInt64(bytes.count)
        var rest = bytes[...]
        if !self.pending.isEmpty {
            let part = rest.prefix(Self.blockByteCount - self.pending.count)
            self.pending += part
            rest = rest.dropFirst(part.count)
            guard self.pending.count == Self.blockByteCount else { return }
            let block = self.pending
            block.withUnsafeBytes { self.hash($0) }
            self.pending.removeAll(keepingCapacity: true)
        }
        while rest.count >= Self.blockByteCount {
            self.hash(UnsafeRawBufferPointer(rebasing: rest.prefix(Self.blockByteCount)))
            rest = rest.dropFirst(Self.blockByteCount)
        }
        self.pending += rest
    }

    /// The 32 bytes of the hash.
    consuming func finalize() -> [UInt8] {
        // FIPS 180-4 §5.1.2: the bit 1, zeros, and the length in bits as 128 bits, up to the end of a block.
        let bitCount = (self.byteCount >> 61, self.byteCount << 3)
        let zeroCount = (2 * Self.blockByteCount - 17 - self.pending.count) % Self.blockByteCount
        var padding: [UInt8] = [0x80] + Array(repeating: 0, count: zeroCount)
        withUnsafeBytes(of: bitCount.0.bigEndian) { padding += $0 }
        withUnsafeBytes(of: bitCount.1.bigEndian) { padding += $0 }
        padding.withUnsafeBytes { self.update($0) }
        var digest: [UInt8] = []
        for index in 0..<4 { withUnsafeBytes(of: self.state[index].bigEndian) { digest += $0 } }
        return digest
    }

    /// FIPS 180-4 §6.4.2, for one block.
    private mutating func hash(_ block: UnsafeRawBufferPointer) {
        for index in 0..<16 {
            self.words[index] = UInt64(bigEndian: block.loadUnaligned(fromByteOffset: index * 8, as: UInt64.self))
        }
        var (a, b, c, d) = (self.state[0], self.state[1], self.state[2], self.state[3])
        var (e, f, g, h) = (self.state[4], self.state[5], self.state[6], self.state[7])
        for round in 0..<80 {
            if round >= 16 {
                self.words[round & 15] &+=
                    Self.smallSigma1(self.words[(round + 14) & 15]) &+ self.words[(round + 9) & 15]
                    &+ Self.smallSigma0(self.words[(round + 1) & 15])
            }
            let choice = (e & f) ^ (~e & g)
            let majority = (a & b) ^ (a & c) ^ (b & c)
            let first = h &+ Self.bigSigma1(e) &+ choice &+ Self.constants[round] &+ self.words[round & 15]
            let second = Self.bigSigma0(a) &+ majority
            (h, g, f, e, d, c, b, a) = (g, f, e, d &+ first, c, b, a, first &+ second)
        }
        self.state[0] &+= a
        self.state[1] &+= b
        self.state[2] &+= c
        self.state[3] &+= d
        self.state[4] &+= e
        self.state[5] &+= f
        self.state[6] &+= g
        self.state[7] &+= h
    }

    // MARK: FIPS 180-4 §4.1.3

    private static func rotated(_ word: UInt64, _ count: UInt64) -> UInt64 { word >> count | word << (64 - count) }

    private static func bigSigma0(_ word: UInt64) -> UInt64 {
        self.rotated(word, 28) ^ self.rotated(word, 34) ^ self.rotated(word, 39)
    }

    private static func bigSigma1(_ word: UInt64) -> UInt64 {
        self.rotated(word, 14) ^ self.rotated(word, 18) ^ self.rotated(word, 41)
    }

    private static func smallSigma0(_ word: UInt64) -> UInt64 {
        self.rotated(word, 1) ^ self.rotated(word, 8) ^ word >> 7
    }

    private static func smallSigma1(_ word: UInt64) -> UInt64 {
        self.rotated(word, 19) ^ self.rotated(word, 61) ^ word >> 6
    }
}
