// SPDX-License-Identifier: Apache-2.0

#if !canImport(Security)
import SwiftASN1
import Synchronization
import TernErrors
import X509

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// The roots that a Linux system trusts: one file of certificates in PEM form.
enum SystemAnchors {
    /// Where distributions have the file, the first that exists counting; the list is Go's.
    private static let paths = [
        "/etc/ssl/certs/ca-certificates.crt",  // Debian, Ubuntu, Arch, Alpine
        "/etc/pki/tls/certs/ca-bundle.crt",  // Fedora, Red Hat
        "/etc/ssl/ca-bundle.pem",  // openSUSE
        "/etc/pki/tls/cacert.pem",  // OpenELEC
        "/etc/pki/ca-trust/extracted/pem/tls-ca-bundle.pem",  // CentOS, Red Hat
        "/etc/ssl/cert.pem",  // Alpine
    ]

    /// Read once per process: it takes milliseconds, and what the system trusts seldom changes.
    private static let cached = Mutex<AnchorStore?>(nil)

    /// The roots.
    ///
    /// - Throws: `TLSFailure.configuration` if there are none, or they cannot be read; then the next call reads again.
    static func store() throws(TLSFailure) -> AnchorStore {
        try self.cached.withLock { cached throws(TLSFailure) in
            if let cached { return cached }
            let store = try self.read()
            cached = store
            return store
        }
    }

    private static func read() throws(TLSFailure) -> AnchorStore {
        var isUnreadable = false
        for path in self.paths {
            guard let data = try? Data(contentsOf: URL(filePath: path)) else {
                if FileManager.default.fileExists(atPath: path) { isUnreadable = true }
                continue
            }
            // One that cannot be read, such as an old one with a short key, must not cost the others their trust.
            let certificates = PEMText.certificates(in: [UInt8](data)).compactMap { bytes in
                try? ReadCertificate(bytes)
            }
            if !certificates.isEmpty { return AnchorStore(certificates) }
        }
        throw .configuration(
            isUnreadable
                ? "the system's root certificates cannot be read just now"
                : "the system has no root certificates; is the package ca-certificates installed?"
        )
    }
}
#endif
