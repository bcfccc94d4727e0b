// SPDX-License-Identifier: Apache-2.0
import Crypto

package struct TransferHasher: Sendable {
    private let expected: TransferDigest
    private var sha256: SHA256?
    private var sha512: SHA512?
    private var md5: Insecure.MD5?

    package init(_ expected: TransferDigest) {
        self.expected = expected
        switch expected.algorithm {
        case .sha256: self.sha256 = SHA256()
        case .sha512: self.sha512 = SHA512()
        case .md5: self.md5 = Insecure.MD5()
        }
    }

    package mutating func update(_ bytes: UnsafeRawBufferPointer) {
        self.sha256?.update(bufferPointer: bytes)
        self.sha512?.update(bufferPointer: bytes)
        self.md5?.update(bufferPointer: bytes)
    }

    package func matches() -> Bool {
        let value = self.sha256.map { Array($0.finalize()) } ?? self.sha512.map { Array($0.finalize()) }
        return (value ?? self.md5.map { Array($0.finalize()) }) == self.expected.value
    }
}
