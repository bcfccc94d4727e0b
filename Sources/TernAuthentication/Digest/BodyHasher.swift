// SPDX-License-Identifier: Apache-2.0

internal import Crypto
import TernRequests

/// Hashes a body for Digest's `auth-int`, piece by piece (RFC 7616 §3.4.3).
///
/// ``Authorizer/bodyHasher`` makes it, for the algorithm that the server chose. What is hashed is the body as it is
/// sent, with its content coding and without its transfer coding.
public struct BodyHasher: Sendable {
    // One of the three; an enum would be copied to be changed.
    private var md5: Insecure.MD5?
    private var sha256: SHA256?
    private var sha512t256: SHA512t256?

    /// Creates a hasher that has seen nothing.
    init(_ hash: DigestAlgorithm.Hash) {
        switch hash {
        case .md5: self.md5 = Insecure.MD5()
        case .sha256: self.sha256 = SHA256()
        case .sha512t256: self.sha512t256 = SHA512t256()
        }
    }

    /// Hashes more of the body.
    ///
    /// - Parameter bytes: what comes next of it; may be empty.
    public mutating func update(_ bytes: UnsafeRawBufferPointer) {
        self.md5?.update(bufferPointer: bytes)
        self.sha256?.update(bufferPointer: bytes)
        self.sha512t256?.update(bytes)
    }

    /// Hashes a text as UTF-8.
    mutating func update(_ text: String) {
        var text = text
        text.withUTF8 { self.update(UnsafeRawBufferPointer($0)) }
    }

    /// The hash of all that was hashed so far, as hexadecimal digits in lower case.
    ///
    /// - Returns: 32 or 64 digits, for ``Authorizer``.
    public func finalize() -> String {
        // RFC 7616 §3.1.3: hashes are written in lower case.
        if let md5 { return md5.finalize().withUnsafeBytes { Hexadecimal.digits(of: $0) } }
        if let sha256 { return sha256.finalize().withUnsafeBytes { Hexadecimal.digits(of: $0) } }
        return (self.sha512t256 ?? SHA512t256()).finalize().withUnsafeBytes { Hexadecimal.digits(of: $0) }
    }
}
