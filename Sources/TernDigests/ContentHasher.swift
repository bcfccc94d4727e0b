// SPDX-License-Identifier: Apache-2.0

internal import Crypto
package import TernRequests

/// Hashes content piece by piece, with one or more algorithms at the same time.
package struct ContentHasher: Sendable {
    private var sha256: SHA256?
    private var sha512: SHA512?
    private var sha1: Insecure.SHA1?
    private var md5: Insecure.MD5?

    package init(_ algorithms: some Sequence<HashAlgorithm>) {
        for algorithm in algorithms {
            switch algorithm {
            case .sha256: self.sha256 = SHA256()
            case .sha512: self.sha512 = SHA512()
            case .sha1: self.sha1 = Insecure.SHA1()
            case .md5: self.md5 = Insecure.MD5()
            }
        }
    }

    package mutating func update(_ bytes: UnsafeRawBufferPointer) {
        self.sha256?.update(bufferPointer: bytes)
        self.sha512?.update(bufferPointer: bytes)
        self.sha1?.update(bufferPointer: bytes)
        self.md5?.update(bufferPointer: bytes)
    }

    package func finalize() -> DigestField {
        var digests: [HashAlgorithm: [UInt8]] = [:]
        digests[.sha256] = self.sha256.map { Array($0.finalize()) }
        digests[.sha512] = self.sha512.map { Array($0.finalize()) }
        digests[.sha1] = self.sha1.map { Array($0.finalize()) }
        digests[.md5] = self.md5.map { Array($0.finalize()) }
        return DigestField(digests)
    }
}
