// SPDX-License-Identifier: Apache-2.0
public import Foundation

/// Certificates for tests, of which some are good, and each of the others is bad in one way.
///
/// openssl creates the files when a test first needs them, so no certificate in the repository can expire.
public final class CertificateMatrix: Sendable {
    public enum Row: String, CaseIterable, Sendable {
        /// The certificate is good for `localhost`, 127.0.0.1 and ::1.
        case valid
        /// The certificate is good only for 127.0.0.1 and ::1.
        case addressOnly = "address-only"
        /// The certificate is good for `*.tern.test`.
        case wildcard
        /// The certificate is good; its key and the root's key are RSA keys.
        case rsa
        /// The certificate is good; all keys below the root are P-521 keys.
        case p521
        /// The certificate is good; all keys below the root are Ed25519 keys.
        case ed25519
        /// The certificate has an Ed448 key, which OpenSSL accepts and Tern does not support.
        case ed448
        case expired
        case expiredAbove = "expired-above"
        case notYetValid = "not-yet-valid"
        case wrongHost = "wrong-host"
        case wrongHostAndExpired = "wrong-host-and-expired"
        case selfSigned = "self-signed"
        case unknownRoot = "unknown-root"
        /// The server does not send the intermediate certificate.
        case incompleteChain = "incomplete-chain"
        case wrongUsage = "wrong-usage"
        case wrongUsageAbove = "wrong-usage-above"
        /// The certificate names `localhost` only in its common name.
        case noAlternativeName = "no-alternative-name"
        /// The intermediate certificate permits only names below `tern.test`, but the certificate is for `localhost`.
        case nameConstraints = "name-constraints"
        /// The certificate of another server, which is not an authority, signed the certificate.
        case notAnAuthority = "not-an-authority"
        /// A certificate of version 1, which cannot say that it is an authority, signed the certificate.
        case versionOneAbove = "version-one-above"
        /// The key usage of the intermediate certificate does not allow it to sign certificates.
        case noCertificateSigning = "no-certificate-signing"
        /// The path has two intermediate certificates, although the upper one allows no other below it.
        case pathTooLong = "path-too-long"
        case unknownExtension = "unknown-extension"
        case unknownExtensionAbove = "unknown-extension-above"
        case withdrawnDigest = "withdrawn-digest"
    }

    public static let passphrase = "opensesame"

    private static let made = Result { try CertificateMatrix() }

    /// The certificates that all tests of this process share; the files are deleted when the process ends.
    public static var shared: CertificateMatrix { get throws { try self.made.get() } }

    private let home: PeerProcess

    private init() throws {
        // The program itself does nothing: only the shell is needed that deletes the folder at the end.
        self.home = try PeerProcess("true", []) { folder in
            try PeerProcess.run("sh", ["-c", CertificateRecipe.script], in: folder)
        }
    }

    public var folder: URL { self.home.folder }

    /// The path of the root certificate that tests trust, in PEM form; ``rsaRootFile`` is that for ``Row/rsa``.
    public var rootFile: String { self.file("root.pem") }

    public var rsaRootFile: String { self.file("rsa-root.pem") }

    /// The path of the root certificate of an authority that tests do not trust, in PEM form.
    public var otherRootFile: String { self.file("other.pem") }

    /// Returns the path of the certificates that a server sends, in PEM form: its own certificate first.
    public func chainFile(_ row: Row) -> String { self.file("\(row.rawValue).chain.pem") }

    public func keyFile(_ row: Row) -> String {
        switch row {
        case .rsa, .p521, .ed25519, .ed448: self.file("\(row.rawValue).key")
        default: self.file("server.key")
        }
    }

    /// Returns the path of `intermediate.pem`, `client.pem` (signed by a stranger: `client-stranger.pem`), `client.key`, or,
    /// encrypted with the passphrase, `client.encrypted.key` or `client.p12`.
    public func file(_ name: String) -> String { self.folder.appending(path: name).path }

    public func chain(_ row: Row) throws -> [[UInt8]] { try self.certificates(in: "\(row.rawValue).chain.pem") }

    public func certificates(in name: String) throws -> [[UInt8]] {
        let text = try self.text(of: name)
        return text.split(separator: "-----BEGIN CERTIFICATE-----").map { part in
            let digits = part.prefix { $0 != "-" }
            return [UInt8](Data(base64Encoded: String(digits), options: .ignoreUnknownCharacters) ?? Data())
        }
    }

    /// Returns the SHA-256 of the key of `valid`, `intermediate`, `root` or `rsa` in base64, as openssl computes it.
    public func digest(of name: String) throws -> String { try self.text(of: "\(name).pin") }

    private func text(of name: String) throws -> String {
        String(decoding: try Data(contentsOf: self.folder.appending(path: name)), as: UTF8.self)
    }
}
