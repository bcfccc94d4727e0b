// SPDX-License-Identifier: Apache-2.0

/// The four bytes with which the payload of one frame is masked (RFC 6455 §5.3).
///
/// Every frame needs a fresh key that nobody can guess, so that a page cannot choose the bytes that a proxy sees
/// (RFC 6455 §10.3).
public struct MaskingKey: Hashable, Sendable {
    /// The four bytes; the most significant one is the first on the wire.
    public var value: UInt32

    /// Creates a key.
    ///
    /// - Parameter value: the four bytes; the most significant one is the first on the wire.
    public init(_ value: UInt32) { self.value = value }

    /// A key made of 32 bits of a generator, which must be unpredictable, such as `SystemRandomNumberGenerator`.
    public static func random(using generator: inout some RandomNumberGenerator) -> MaskingKey {
        MaskingKey(UInt32(truncatingIfNeeded: generator.next()))
    }

    /// The key twice, as eight bytes in memory, for a payload of which `offset` bytes are masked already.
    func pattern(at offset: Int) -> UInt64 {
        // The first byte of the payload meets the first of the key: i MOD 4 (RFC 6455 §5.3).
        let shift = UInt32(truncatingIfNeeded: offset & 3) &* 8
        let rotated = self.value &<< shift | (shift == 0 ? 0 : self.value &>> (32 &- shift))
        return (UInt64(rotated) &<< 32 | UInt64(rotated)).bigEndian
    }
}
