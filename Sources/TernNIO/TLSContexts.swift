// SPDX-License-Identifier: Apache-2.0
import NIOCore
import NIOSSL
import Synchronization
import TernAuthentication
import TernConnections
import TernErrors
import TernFoundation
import TernTrust

/// Keeps the objects that a connector needs for all its TLS handshakes: contexts of the TLS library, certificate
/// evaluators and key logs.
///
/// Reading certificates and keys takes milliseconds, so the connector reads them only once.
final class TLSContexts: Sendable {
    private struct Kept {
        var contexts: [TernConnections.TLSConfiguration: NIOSSLContext] = [:]
        var evaluators: [TrustPolicy: TrustEvaluator] = [:]
        var keyLogs: [String: KeyLog] = [:]
    }

    private let kept = Mutex(Kept())

    /// Returns the evaluator that checks servers' certificates according to a policy.
    func evaluator(for policy: TrustPolicy) throws(TLSFailure) -> TrustEvaluator {
        if let evaluator = self.kept.withLock({ $0.evaluators[policy] }) { return evaluator }
        let evaluator = try TrustEvaluator(policy)
        // The handshake needs the roots only when the server's certificates arrive, so it need not wait for them now.
        Task { try? evaluator.readSystemRoots() }
        self.kept.withLock { $0.evaluators[policy] = evaluator }
        return evaluator
    }

    /// Returns the context for TLS settings.
    ///
    /// If the settings have no client certificate and the call has a decider, which may choose one, the handshake gets
    /// its own context.
    func context(
        for configuration: TernConnections.TLSConfiguration,
        _ judge: HandshakeJudge
    ) throws(TLSFailure) -> NIOSSLContext {
        if judge.asksForIdentity, configuration.identity == nil {
            return try self.make(configuration) { _, answer in judge.choose(answer) }
        }
        if let context = self.kept.withLock({ $0.contexts[configuration] }) { return context }
        let context = try self.make(configuration, choosing: nil)
        self.kept.withLock { $0.contexts[configuration] = context }
        return context
    }

    private func make(
        _ configuration: TernConnections.TLSConfiguration,
        choosing: NIOSSLContextCallback?
    ) throws(TLSFailure) -> NIOSSLContext {
        var translated = NIOSSL.TLSConfiguration.makeClientConfiguration()
        translated.applicationProtocols = configuration.applicationProtocols
        translated.minimumTLSVersion = TLSVersion(configuration.minimumVersion)
        translated.maximumTLSVersion = configuration.maximumVersion.map { TLSVersion($0) }
        (translated.verifySignatureAlgorithms, translated.curves) = (Self.signatureAlgorithms, Self.curves)
        // ``HandshakeJudge`` evaluates the certificates, so the library needs no roots. Reading them would cost time.
        translated.trustRoots = .certificates([])
        translated.certificateVerification = .noHostnameVerification
        translated.sslContextCallback = choosing
        if let identity = configuration.identity {
            let (chain, key) = try identity.sources()
            translated.certificateChain = chain
            translated.privateKey = key
        }
        if let path = configuration.keyLogPath {
            let log = try self.keyLog(path)
            translated.keyLogCallback = { log.append($0) }
        }
        do {
            return try NIOSSLContext(configuration: translated)
        } catch {
            throw .configuration("the TLS library reports \(TLSFailure.text(of: error))")
        }
    }

    /// The signature algorithms that the client accepts from servers: the library's list, and also P-521 and Ed25519.
    ///
    /// The library supports these two, but does not offer them by default.
    ///
    /// SHA-1 is omitted. RFC 9155 §2: "Clients MUST NOT include MD5 and SHA-1 in this extension."
    private static let signatureAlgorithms: [SignatureAlgorithm] = [
        .ecdsaSecp256R1Sha256, .rsaPssRsaeSha256, .rsaPkcs1Sha256, .ecdsaSecp384R1Sha384, .rsaPssRsaeSha384,
        .rsaPkcs1Sha384, .ecdsaSecp521R1Sha512, .rsaPssRsaeSha512, .rsaPkcs1Sha512, .ed25519,
    ]

    /// The curves that the client accepts: the library's list, and also P-521.
    ///
    /// In TLS 1.2, the list must contain the curve of the server's key (RFC 8422 §5.1).
    private static let curves: [NIOTLSCurve] = [.x25519_MLKEM768, .x25519, .secp256r1, .secp384r1, .secp521r1]

    private func keyLog(_ path: String) throws(TLSFailure) -> KeyLog {
        if let log = self.kept.withLock({ $0.keyLogs[path] }) { return log }
        let log = try KeyLog(path: path)
        self.kept.withLock { $0.keyLogs[path] = log }
        return log
    }
}

extension TLSVersion {
    fileprivate init(_ version: TernConnections.TLSConfiguration.Version) {
        switch version {
        case .tls12: self = .tlsv12
        case .tls13: self = .tlsv13
        }
    }
}

extension ClientIdentity {
    /// Returns the chain and the key in the form that NIOSSL accepts.
    ///
    /// - Throws: `TLSFailure.wrongPassphrase`, or `TLSFailure.configuration` when the chain or the key cannot be read
    ///   for another reason. The text of the error names no file.
    func sources() throws(TLSFailure) -> ([NIOSSLCertificateSource], NIOSSLPrivateKeySource) {
        do {
            switch self.content {
            case .pem(let certificates, let privateKey, let passphrase):
                let chain = try NIOSSLCertificate.fromPEMBytes(Array(certificates.utf8))
                let key = try Self.unlocked({ privateKey }) { try Self.key(passphrase, bytes: Array(privateKey.utf8)) }
                return (chain.map { .certificate($0) }, .privateKey(key))
            case .pemFiles(let certificates, let privateKey, let passphrase):
                let chain = try NIOSSLCertificate.fromPEMFile(certificates)
                let key = try Self.unlocked({ try? String(contentsOfFile: privateKey, encoding: .utf8) }) {
                    try Self.key(passphrase, path: privateKey)
                }
                return (chain.map { .certificate($0) }, .privateKey(key))
            case .pkcs12(let bytes, let passphrase):
                let bundle = try NIOSSLPKCS12Bundle(buffer: bytes, passphrase: passphrase?.utf8)
                return (bundle.certificateChain.map { .certificate($0) }, .privateKey(bundle.privateKey))
            case .pkcs12File(let path, let passphrase):
                let bundle = try NIOSSLPKCS12Bundle(file: path, passphrase: passphrase?.utf8)
                return (bundle.certificateChain.map { .certificate($0) }, .privateKey(bundle.privateKey))
            }
        } catch let failure as TLSFailure {
            throw failure
        } catch {
            let text = TLSFailure.text(of: error)
            // RFC 7292 §4: a bundle has a MAC that depends on the passphrase. So the library can tell a wrong
            // passphrase from a damaged file.
            if text.contains("INCORRECT_PASSWORD") { throw .wrongPassphrase }
            throw .configuration(
                "the client's certificate or key cannot be read; check the path and the format (TLS library: \(text))"
            )
        }
    }

    /// Reads a private key in PEM form.
    ///
    /// - Throws: `TLSFailure.wrongPassphrase` when an encrypted key cannot be read. The library gives no reason, and a
    ///   wrong passphrase is the usual reason. `TLSFailure.configuration` if the key is encrypted in a way that the
    ///   library does not support.
    private static func unlocked(_ pem: () -> String?, _ read: () throws -> NIOSSLPrivateKey) throws -> NIOSSLPrivateKey
    {
        do {
            return try read()
        } catch NIOSSLError.failedToLoadPrivateKey {
            // "BEGIN ENCRYPTED PRIVATE KEY" (RFC 7468 §11), or "Proc-Type: 4,ENCRYPTED" (RFC 1421 §4.6.1.1).
            guard let text = pem(), text.contains("ENCRYPTED") else { throw NIOSSLError.failedToLoadPrivateKey }
            guard !EncryptedKey.usesScrypt(text) else {
                throw TLSFailure.configuration(
                    "the client's key is encrypted with scrypt, which the TLS library cannot read; encrypt it with "
                        + "'openssl pkcs8 -topk8' without -scrypt"
                )
            }
            throw TLSFailure.wrongPassphrase
        }
    }

    /// Returns the identity for a handshake that has already begun.
    ///
    /// - Throws: The same errors as ``sources()``, and `TLSFailure.configuration` when the key does not belong to the
    ///   certificate. Without this check, the library would only report that the handshake failed.
    func override() throws(TLSFailure) -> NIOSSLContextConfigurationOverride {
        let (chain, key) = try self.sources()
        var trial = NIOSSL.TLSConfiguration.makeClientConfiguration()
        trial.trustRoots = .certificates([])
        (trial.certificateChain, trial.privateKey) = (chain, key)
        do {
            _ = try NIOSSLContext(configuration: trial)
        } catch {
            let text = TLSFailure.text(of: error)
            throw .configuration("the client's certificate and key do not match; the TLS library reports \(text)")
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
