// SPDX-License-Identifier: Apache-2.0
import NIOSSL
import TernAuthentication
import TernErrors

extension ClientIdentity {
    /// The chain and the key in the form that NIOSSL takes.
    ///
    /// - Throws: `TLSFailure.configuration` when they cannot be read; the text names no path inside a secret.
    func sources() throws(TLSFailure) -> ([NIOSSLCertificateSource], NIOSSLPrivateKeySource) {
        do {
            switch self.content {
            case .pem(let certificates, let privateKey, let passphrase):
                let chain = try NIOSSLCertificate.fromPEMBytes(Array(certificates.utf8))
                let key = try Self.key(passphrase, bytes: Array(privateKey.utf8))
                return (chain.map { .certificate($0) }, .privateKey(key))
            case .pemFiles(let certificates, let privateKey, let passphrase):
                let chain = try NIOSSLCertificate.fromPEMFile(certificates)
                let key = try Self.key(passphrase, path: privateKey)
                return (chain.map { .certificate($0) }, .privateKey(key))
            case .pkcs12(let bytes, let passphrase):
                let bundle = try NIOSSLPKCS12Bundle(buffer: bytes, passphrase: passphrase?.utf8)
                return (bundle.certificateChain.map { .certificate($0) }, .privateKey(bundle.privateKey))
            case .pkcs12File(let path, let passphrase):
                let bundle = try NIOSSLPKCS12Bundle(file: path, passphrase: passphrase?.utf8)
                return (bundle.certificateChain.map { .certificate($0) }, .privateKey(bundle.privateKey))
            }
        } catch {
            throw .configuration("the client's certificate or key cannot be read: \(TLSFailure.text(of: error))")
        }
    }

    /// What a handshake that is under way is to go on with.
    ///
    /// - Throws: `TLSFailure.configuration`, also when the key is not the certificate's: asked in a handshake, the library
    ///   would only say that this failed.
    func override() throws(TLSFailure) -> NIOSSLContextConfigurationOverride {
        let (chain, key) = try self.sources()
        var trial = NIOSSL.TLSConfiguration.makeClientConfiguration()
        trial.trustRoots = .certificates([])
        (trial.certificateChain, trial.privateKey) = (chain, key)
        do {
            _ = try NIOSSLContext(configuration: trial)
        } catch {
            throw .configuration(TLSFailure.text(of: error))
        }
        var override = NIOSSLContextConfigurationOverride.noChanges
        (override.certificateChain, override.privateKey) = (chain, key)
        return override
    }

    private static func key(_ passphrase: String?, bytes: [UInt8]) throws -> NIOSSLPrivateKey {
        guard let passphrase else { return try NIOSSLPrivateKey(bytes: bytes, format: .pem) }
        return try NIOSSLPrivateKey(bytes: bytes, format: .pem) { take in take(passphrase.utf8) }
    }

    private static func key(_ passphrase: String?, path: String) throws -> NIOSSLPrivateKey {
        guard let passphrase else { return try NIOSSLPrivateKey(file: path, format: .pem) }
        return try NIOSSLPrivateKey(file: path, format: .pem) { take in take(passphrase.utf8) }
    }
}
