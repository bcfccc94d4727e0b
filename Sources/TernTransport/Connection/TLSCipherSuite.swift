// SPDX-License-Identifier: Apache-2.0

/// A cipher suite of TLS, by its number in IANA's registry (RFC 8446 §B.4).
public struct TLSCipherSuite: RawRepresentable, Hashable, Sendable {
    /// The registered number.
    public let rawValue: UInt16

    /// Creates a suite from its registered number; any number is accepted.
    public init(rawValue: UInt16) { self.rawValue = rawValue }

    /// The names of those that current libraries offer.
    private static let names: [UInt16: String] = [
        0x1301: "TLS_AES_128_GCM_SHA256",
        0x1302: "TLS_AES_256_GCM_SHA384",
        0x1303: "TLS_CHACHA20_POLY1305_SHA256",
        0xC009: "TLS_ECDHE_ECDSA_WITH_AES_128_CBC_SHA",
        0xC00A: "TLS_ECDHE_ECDSA_WITH_AES_256_CBC_SHA",
        0xC013: "TLS_ECDHE_RSA_WITH_AES_128_CBC_SHA",
        0xC014: "TLS_ECDHE_RSA_WITH_AES_256_CBC_SHA",
        0xC027: "TLS_ECDHE_RSA_WITH_AES_128_CBC_SHA256",
        0xC02B: "TLS_ECDHE_ECDSA_WITH_AES_128_GCM_SHA256",
        0xC02C: "TLS_ECDHE_ECDSA_WITH_AES_256_GCM_SHA384",
        0xC02F: "TLS_ECDHE_RSA_WITH_AES_128_GCM_SHA256",
        0xC030: "TLS_ECDHE_RSA_WITH_AES_256_GCM_SHA384",
        0xCCA8: "TLS_ECDHE_RSA_WITH_CHACHA20_POLY1305_SHA256",
        0xCCA9: "TLS_ECDHE_ECDSA_WITH_CHACHA20_POLY1305_SHA256",
        0x002F: "TLS_RSA_WITH_AES_128_CBC_SHA",
        0x0035: "TLS_RSA_WITH_AES_256_CBC_SHA",
        0x009C: "TLS_RSA_WITH_AES_128_GCM_SHA256",
        0x009D: "TLS_RSA_WITH_AES_256_GCM_SHA384",
    ]
}

extension TLSCipherSuite: CustomStringConvertible {
    /// The registered name, such as `TLS_AES_128_GCM_SHA256`, or the number in hexadecimal.
    public var description: String {
        Self.names[self.rawValue] ?? "0x" + String(self.rawValue, radix: 16, uppercase: true)
    }
}
