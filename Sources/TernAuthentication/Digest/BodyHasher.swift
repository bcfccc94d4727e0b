// SPDX-License-Identifier: Apache-2.0

internal import Crypto
import TernRequests

/// Hashes a body for Digest's `auth-int`, piece by piece (RFC 7616 §3.4.3).
///
/// ``Authorizer/bodyHasher`` creates it. It needs the body with its content coding and without its transfer coding.
public struct BodyHasher: Sendable {
    // Exactly one of the three is set. An enum would copy its payload at each change.
    private var md5: Insecure.MD5?
    private var sha256: SHA256?
    private var sha512t256: SHA512t256?

    init(_ hash: DigestAlgorithm.Hash) {
        switch hash {
        case .md5: self.md5 = Insecure.MD5()
        case .sha256: self.sha256 = SHA256()
        case .sha512t256: self.sha512t256 = SHA512t256()
        }
    }

    /// Hashes the next bytes of the body.
    public mutating func update(_ bytes: UnsafeRawBufferPointer) {
        self.md5?.update(bufferPointer: bytes)
        self.sha256?.update(bufferPointer: bytes)
        self.sha512t256?.update(bytes)
    }

    mutating func update(_ text: String) {
        var text = text
        text.withUTF8 { self.update(UnsafeRawBufferPointer($0)) }
    }

    /// Returns the hash of all bytes so far, as hexadecimal digits in lower case.
    public func finalize() -> String {
        // RFC 7616 §3.1.3: hashes are written in lower case.
        if let md5 { return md5.finalize().withUnsafeBytes { Hexadecimal.digits(of: $0) } }
        if let sha256 { return sha256.finalize().withUnsafeBytes { Hexadecimal.digits(of: $0) } }
        return (self.sha512t256 ?? SHA512t256()).finalize().withUnsafeBytes { Hexadecimal.digits(of: $0) }
    }
}

/// SHA-512/256 (FIPS 180-4 §6.7): other initial values than SHA-512, so truncating that gives another hash.
struct SHA512t256: Sendable {
    private static let blockByteCount = 128

    /// The initial values of FIPS 180-4 §5.3.6.2.
    private var state: [UInt64] = [
        0x2231_2194_FC2B_F72C, 0x9F55_5FA3_C84C_64C2, 0x2393_B86B_6F53_B151, 0x9638_7719_5940_EABD,
        0x9628_3EE2_A88E_FFE3, 0xBE5E_1E25_5386_3992, 0x2B01_99FC_2C85_B8AA, 0x0EB7_2DDC_81C5_2CA2,
    ]
    /// A circular queue (FIPS 180-4 §6.1.3).
    private var words = [UInt64](repeating: 0, count: 16)
    private var pending: [UInt8] = []
    private var byteCount: UInt64 = 0

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

    /// FIPS 180-4 §6.4.2.
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
