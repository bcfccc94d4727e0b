// SPDX-License-Identifier: Apache-2.0
import SwiftASN1
public import TernAuthentication
public import TernErrors
public import X509

extension ServerTrust {
    /// The certificates as the server sent them, read; its own first.
    ///
    /// Any of them can be forged unless it is in `verifiedChain`.
    ///
    /// - Returns: as many certificates as were sent.
    /// - Throws: `TLSFailure.invalidCertificate` if one cannot be read, or there are too many.
    public func certificates() throws(TLSFailure) -> [Certificate] {
        guard SentChain.isBounded(self.chain) else { throw .invalidCertificate("there are too many of them") }
        do {
            return try self.chain.map { try Certificate(derEncoded: $0) }
        } catch {
            throw .invalidCertificate("one cannot be read, or its kind of key is not supported")
        }
    }
}

extension Certificate {
    /// The bytes that were read: X509 keeps them.
    var derBytes: [UInt8] {
        var serializer = DER.Serializer()
        // Bytes that are kept are written as they are, which cannot fail.
        try? serializer.serialize(self)
        return serializer.serializedBytes
    }
}
