// SPDX-License-Identifier: Apache-2.0
import TernDigests
package import TernRequests

/// Hashes a downloaded file, and compares the hash with the expected one.
package struct TransferHasher: Sendable {
    private let expected: TransferDigest
    private var hasher: ContentHasher

    package init(_ expected: TransferDigest) {
        self.expected = expected
        self.hasher = ContentHasher([expected.algorithm])
    }

    package mutating func update(_ bytes: UnsafeRawBufferPointer) { self.hasher.update(bytes) }

    package func matches() -> Bool {
        self.hasher.finalize().digests[self.expected.algorithm] == self.expected.value
    }
}

/// Hashes a part of an upload by the tus protocol.
package struct UploadPartHasher: Sendable {
    private let algorithm: HashAlgorithm
    private var hasher: ContentHasher

    package init(_ algorithm: HashAlgorithm) {
        self.algorithm = algorithm
        self.hasher = ContentHasher([algorithm])
    }

    package mutating func update(_ bytes: UnsafeRawBufferPointer) { self.hasher.update(bytes) }

    /// The value of `Upload-Checksum`, such as `sha1 Kq5sNclPz7QV2+lfQIuc6R7oRu0=`.
    package var fieldValue: String {
        let digest = self.hasher.finalize().digests[self.algorithm] ?? []
        // "This header MUST consist of the name of the used checksum algorithm and the Base64 encoded checksum
        // separated by a space."
        return "\(self.algorithm.checksumName) \(Base64.encoded(digest))"
    }
}
