// SPDX-License-Identifier: Apache-2.0

#if !canImport(Security)
import Synchronization
import TernErrors

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// The roots that a Linux system trusts: one file of certificates in PEM form.
enum SystemAnchors {
    /// The paths of the file in various distributions; the first file that contains certificates is used.
    ///
    /// Go has the same list.
    private static let paths = [
        "/etc/ssl/certs/ca-certificates.crt",  // Debian, Ubuntu, Arch, Alpine
        "/etc/pki/tls/certs/ca-bundle.crt",  // Fedora, Red Hat
        "/etc/ssl/ca-bundle.pem",  // openSUSE
        "/etc/pki/tls/cacert.pem",  // OpenELEC
        "/etc/pki/ca-trust/extracted/pem/tls-ca-bundle.pem",  // CentOS, Red Hat
        "/etc/ssl/cert.pem",  // Alpine
    ]

    /// The roots, read once per process: reading takes milliseconds, and the system's roots seldom change.
    private static let cached = Mutex<AnchorStore?>(nil)

    /// Returns the roots.
    ///
    /// - Throws: `TLSFailure.configuration` if no certificates can be found and read. The next call tries again.
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
            let store = AnchorStore(skippingMalformed: PEMText.certificates(in: [UInt8](data)))
            if !store.isEmpty { return store }
        }
        throw .configuration(
            isUnreadable
                ? "the system's root certificates cannot be read; try again"
                : "the system has no root certificates; install the package ca-certificates"
        )
    }
}
#endif
