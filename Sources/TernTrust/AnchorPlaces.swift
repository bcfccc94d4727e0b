// SPDX-License-Identifier: Apache-2.0
import TernErrors
import TernFoundation

/// The files in PEM form where a system other than Apple's keeps the certificates that it trusts.
///
/// `SSL_CERT_FILE` and `SSL_CERT_DIR` name them, as for OpenSSL, curl and Go; an image without a distribution may have no others.
struct AnchorPlaces: Hashable, Sendable {
    private static let knownFiles = [
        "/etc/ssl/certs/ca-certificates.crt",  // Debian, Ubuntu, Arch, Alpine
        "/etc/pki/tls/certs/ca-bundle.crt",  // Fedora, Red Hat
        "/etc/ssl/ca-bundle.pem",  // openSUSE
        "/etc/pki/tls/cacert.pem",  // OpenELEC
        "/etc/pki/ca-trust/extracted/pem/tls-ca-bundle.pem",  // CentOS, Red Hat
        "/etc/ssl/cert.pem",  // Alpine
    ]
    private static let knownFolders = [
        "/etc/ssl/certs",  // images with single files
        "/etc/pki/tls/certs",  // Fedora, Red Hat
        "/apex/com.android.conscrypt/cacerts",  // Android 14
        "/system/etc/security/cacerts",  // Android before
    ]
    /// A system has a few hundred roots, often with a second name for each.
    private static let maximumFileCount = 4096

    /// The first one with certificates counts, or all of them if the environment chooses them.
    let files: [String]
    /// Read together, if no file counts or if the environment chooses them.
    let folders: [String]
    /// Whether the environment chooses the places, so that others must not be trusted in their stead.
    let areChosen: Bool

    /// Creates the places for a process, which trusts only what the variables name if one of them is set.
    init(environment: [String: String]) {
        let file = environment["SSL_CERT_FILE"] ?? ""
        let folders = (environment["SSL_CERT_DIR"] ?? "").split(separator: ":").map(String.init)
        self.areChosen = !file.isEmpty || !folders.isEmpty
        self.files = self.areChosen ? [file].filter { !$0.isEmpty } : Self.knownFiles
        self.folders = self.areChosen ? folders : Self.knownFolders
    }

    init(files: [String], folders: [String], areChosen: Bool) {
        (self.files, self.folders, self.areChosen) = (files, folders, areChosen)
    }

    func store() throws(TLSFailure) -> AnchorStore {
        var found: [[UInt8]] = []
        var isUnreadable = false
        for path in self.files {
            guard let data = try? Data(contentsOf: URL(filePath: path)) else {
                guard !self.areChosen else {
                    throw .configuration("the file \(path), which SSL_CERT_FILE names, cannot be read")
                }
                if FileManager.default.fileExists(atPath: path) { isUnreadable = true }
                continue
            }
            found = PEMText.certificates(in: [UInt8](data))
            let store = AnchorStore(skippingMalformed: found)
            if !store.isEmpty, !self.areChosen { return store }
        }
        for folder in self.folders { found += try self.certificates(inFolder: folder) }
        var seen: Set<[UInt8]> = []
        let store = AnchorStore(skippingMalformed: found.filter { seen.insert($0).inserted })
        if !store.isEmpty { return store }
        if self.areChosen {
            throw .configuration("the files that SSL_CERT_FILE and SSL_CERT_DIR name contain no certificate")
        }
        throw .configuration(
            isUnreadable
                ? "the system's root certificates cannot be read; try again"
                : "the system has no root certificates; install the package ca-certificates, or set SSL_CERT_FILE"
        )
    }

    private func certificates(inFolder folder: String) throws(TLSFailure) -> [[UInt8]] {
        guard let names = try? FileManager.default.contentsOfDirectory(atPath: folder) else {
            guard self.areChosen else { return [] }
            throw .configuration("the folder \(folder), which SSL_CERT_DIR names, cannot be read")
        }
        return names.sorted().prefix(Self.maximumFileCount).flatMap { name in
            // A folder in the folder, and a link that leads nowhere, have no certificates.
            (try? Data(contentsOf: URL(filePath: folder + "/" + name)))
                .map { PEMText.certificates(in: [UInt8]($0)) } ?? []
        }
    }
}
