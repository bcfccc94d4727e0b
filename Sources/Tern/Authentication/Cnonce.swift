// SPDX-License-Identifier: Apache-2.0

/// The client's nonce for Digest (RFC 7616 §3.4).
enum Cnonce {
    /// 128 random bits, in hexadecimal.
    static func random() -> String {
        String(UInt64.random(in: .min ... .max), radix: 16) + String(UInt64.random(in: .min ... .max), radix: 16)
    }
}
