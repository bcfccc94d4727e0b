// SPDX-License-Identifier: Apache-2.0
import Crypto
import TernDigests

/// The algorithm of the hash that the client sends with a part in the tus protocol (`Upload-Checksum`).
@nonexhaustive
public enum UploadChecksum: String, CaseIterable, Hashable, Sendable {
    /// SHA-1, which each server with the checksum extension must support. It detects accidents but not attacks.
    case sha1
    /// SHA-256.
    case sha256
    /// SHA-512.
    case sha512
    /// MD5, which detects accidents but not attacks.
    case md5
}

package struct UploadPartHasher: Sendable {
    private let checksum: UploadChecksum
    private var sha1 = Insecure.SHA1()
    private var sha256 = SHA256()
    private var sha512 = SHA512()
    private var md5 = Insecure.MD5()

    package init(_ checksum: UploadChecksum) { self.checksum = checksum }

    package mutating func update(_ bytes: UnsafeRawBufferPointer) {
        switch self.checksum {
        case .sha1: self.sha1.update(bufferPointer: bytes)
        case .sha256: self.sha256.update(bufferPointer: bytes)
        case .sha512: self.sha512.update(bufferPointer: bytes)
        case .md5: self.md5.update(bufferPointer: bytes)
        }
    }

    /// Such as `sha1 Kq5sNclPz7QV2+lfQIuc6R7oRu0=`.
    package var fieldValue: String {
        let value: [UInt8] =
            switch self.checksum {
            case .sha1: Array(self.sha1.finalize())
            case .sha256: Array(self.sha256.finalize())
            case .sha512: Array(self.sha512.finalize())
            case .md5: Array(self.md5.finalize())
            }
        // "This header MUST consist of the name of the used checksum algorithm and the Base64 encoded checksum
        // separated by a space."
        return "\(self.checksum.rawValue) \(Base64.encoded(value))"
    }
}
