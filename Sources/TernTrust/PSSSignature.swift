// SPDX-License-Identifier: Apache-2.0
import Crypto
import CryptoExtras
import SwiftASN1

/// The hash function of a signature with RSASSA-PSS (RFC 8017 §8.1), which RFC 8446 §9.1 demands, and X509 does not support.
enum PSSSignature: Hashable, Sendable {
    case sha256
    case sha384
    case sha512

    /// RSA with PKCS #1 v1.5 and SHA-256, in DER form, which X509 sees instead, to read the other fields.
    static let readableAlgorithm: [UInt8] = [0x30, 0x0D] + Self.identifier([0x0D, 1, 1, 11]) + [5, 0]

    private static let pss = Self.identifier([0x0D, 1, 1, 10])
    private static let maskGeneration = Self.identifier([0x0D, 1, 1, 8])

    private static func identifier(_ parts: [UInt8]) -> [UInt8] {
        [6, UInt8(5 + parts.count), 0x2A, 0x86, 0x48, 0x86, 0xF7] + parts
    }

    /// Reads an `AlgorithmIdentifier` (RFC 4055 §3.1); fails if it is not RSASSA-PSS with the parameters of TLS (RFC 8446
    /// §4.2.3).
    init?(_ algorithm: ASN1Node) {
        let parts = algorithm.children
        guard algorithm.identifier == .sequence, parts.count == 2, parts[0].encodedBytes.elementsEqual(Self.pss),
            parts[1].identifier == .sequence
        else { return nil }
        let parameters = parts[1].children
        guard (3...4).contains(parameters.count),
            parameters.enumerated().allSatisfy({ number, parameter in
                let tag = ASN1Identifier(tagWithNumber: UInt(number), tagClass: .contextSpecific)
                return parameter.identifier == tag && parameter.children.count == 1
            })
        else { return nil }
        let values = parameters.map { $0.children[0] }
        let mask = values[1].children
        guard let hash = Self.hash(values[0]), values[1].identifier == .sequence, mask.count == 2,
            mask[0].encodedBytes.elementsEqual(Self.maskGeneration), Self.hash(mask[1]) == hash,
            values[2].encodedBytes.elementsEqual([2, 1, hash.saltByteCount]),
            // The trailer field is the default, 1.
            values.count == 3 || values[3].encodedBytes.elementsEqual([2, 1, 1])
        else { return nil }
        self = hash
    }

    /// Reads the identifier of a hash function, whose parameters are NULL or missing (RFC 4055 §2.1).
    private static func hash(_ algorithm: ASN1Node) -> PSSSignature? {
        let parts = algorithm.children
        guard algorithm.identifier == .sequence, let name = parts.first,
            parts.count == 1 || parts.count == 2 && parts[1].encodedBytes.elementsEqual([5, 0])
        else { return nil }
        let prefix: [UInt8] = [6, 9, 0x60, 0x86, 0x48, 1, 0x65, 3, 4, 2]
        guard name.encodedBytes.dropLast().elementsEqual(prefix) else { return nil }
        return switch name.encodedBytes.last {
        case 1: .sha256
        case 2: .sha384
        case 3: .sha512
        default: nil
        }
    }

    private var saltByteCount: UInt8 {
        switch self {
        case .sha256: 32
        case .sha384: 48
        case .sha512: 64
        }
    }

    func isValid(_ signature: ArraySlice<UInt8>, for bytes: ArraySlice<UInt8>, by key: _RSA.Signing.PublicKey) -> Bool {
        let signature = _RSA.Signing.RSASignature(rawRepresentation: signature)
        // The salt of `PSS` is as long as the digest, and its mask has the same hash function.
        return switch self {
        case .sha256: key.isValidSignature(signature, for: SHA256.hash(data: bytes), padding: .PSS)
        case .sha384: key.isValidSignature(signature, for: SHA384.hash(data: bytes), padding: .PSS)
        case .sha512: key.isValidSignature(signature, for: SHA512.hash(data: bytes), padding: .PSS)
        }
    }
}
