// SPDX-License-Identifier: Apache-2.0
public import Foundation

/// Certificates that are good, or bad in one way each, made by openssl when they are first needed.
///
/// They are created for every run, so that none can expire in the repository, and deleted when the process ends.
public final class CertificateMatrix: Sendable {
    /// One chain of a server.
    public enum Row: String, CaseIterable, Sendable {
        /// Good for `localhost`, 127.0.0.1 and ::1.
        case valid
        /// Good for 127.0.0.1 and ::1 only.
        case addressOnly = "address-only"
        /// Good for `*.tern.test`.
        case wildcard
        /// Good, with a key and a root of RSA.
        case rsa
        /// Good, with keys on P-521 below the root.
        case p521
        /// Good, with keys of Ed25519 below the root.
        case ed25519
        /// Good for OpenSSL, with a key of Ed448.
        case ed448
        /// Expired in 2020.
        case expired
        /// As the intermediate above it.
        case expiredAbove = "expired-above"
        /// Not valid until 2048.
        case notYetValid = "not-yet-valid"
        /// For another host.
        case wrongHost = "wrong-host"
        /// For another host, and expired.
        case wrongHostAndExpired = "wrong-host-and-expired"
        /// For `localhost`, signed by itself.
        case selfSigned = "self-signed"
        /// Signed by an untrusted authority.
        case unknownRoot = "unknown-root"
        /// The intermediate is not sent.
        case incompleteChain = "incomplete-chain"
        /// For clients only.
        case wrongUsage = "wrong-usage"
        /// The intermediate above it is for clients only.
        case wrongUsageAbove = "wrong-usage-above"
        /// `localhost` only as the common name.
        case noAlternativeName = "no-alternative-name"
        /// The intermediate above it is limited to other names.
        case nameConstraints = "name-constraints"
        /// Signed by the certificate of another server.
        case notAnAuthority = "not-an-authority"
        /// Signed by a certificate of version 1, which says nothing of being an authority.
        case versionOneAbove = "version-one-above"
        /// The intermediate above it may not sign certificates.
        case noCertificateSigning = "no-certificate-signing"
        /// There are two intermediates where there may be one.
        case pathTooLong = "path-too-long"
        /// It has an unknown critical extension.
        case unknownExtension = "unknown-extension"
        /// As the intermediate above it.
        case unknownExtensionAbove = "unknown-extension-above"
        /// Signed with SHA-1.
        case withdrawnDigest = "withdrawn-digest"
    }

    /// The passphrase of the client's encrypted files.
    public static let passphrase = "opensesame"

    private static let made = Result { try CertificateMatrix() }

    /// The one of this process.
    public static var shared: CertificateMatrix { get throws { try self.made.get() } }

    private let home: PeerProcess

    private init() throws {
        // Nothing is to be run but what cleans up.
        self.home = try PeerProcess("true", []) { folder in
            try PeerProcess.run("sh", ["-c", CertificateRecipe.script], in: folder)
        }
    }

    /// Where all files are.
    public var folder: URL { self.home.folder }

    /// The root that is to be trusted, in PEM form.
    public var rootFile: String { self.file("root.pem") }

    /// The root that is to be trusted for ``Row/rsa``, in PEM form.
    public var rsaRootFile: String { self.file("rsa-root.pem") }

    /// The root of an authority that is not to be trusted, in PEM form.
    public var otherRootFile: String { self.file("other.pem") }

    /// Returns the certificates that a server sends, in PEM form: its own certificate first.
    public func chainFile(_ row: Row) -> String { self.file("\(row.rawValue).chain.pem") }

    /// The key of a server, in PEM form.
    public func keyFile(_ row: Row) -> String {
        switch row {
        case .rsa, .p521, .ed25519, .ed448: self.file("\(row.rawValue).key")
        default: self.file("server.key")
        }
    }

    /// The path of a file by its name: a certificate's, such as `intermediate.pem`, `client.pem` or
    /// `client-stranger.pem` (signed by an authority that is not to be trusted), the client's key `client.key`, and
    /// with the passphrase `client.encrypted.key` and `client.p12`.
    public func file(_ name: String) -> String { self.folder.appending(path: name).path }

    /// Returns the certificates that a server sends, in DER form: its own certificate first.
    public func chain(_ row: Row) throws -> [[UInt8]] { try self.certificates(in: "\(row.rawValue).chain.pem") }

    /// The certificates of a file in DER form.
    public func certificates(in name: String) throws -> [[UInt8]] {
        let text = try self.text(of: name)
        return text.split(separator: "-----BEGIN CERTIFICATE-----").map { part in
            let digits = part.prefix { $0 != "-" }
            return [UInt8](Data(base64Encoded: String(digits), options: .ignoreUnknownCharacters) ?? Data())
        }
    }

    /// The SHA-256 of a certificate's key in base64, by openssl; of `valid`, `intermediate`, `root` and `rsa`.
    public func digest(of name: String) throws -> String { try self.text(of: "\(name).pin") }

    private func text(of name: String) throws -> String {
        String(decoding: try Data(contentsOf: self.folder.appending(path: name)), as: UTF8.self)
    }
}
