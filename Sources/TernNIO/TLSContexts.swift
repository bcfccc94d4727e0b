// SPDX-License-Identifier: Apache-2.0
import NIOCore
import NIOSSL
import Synchronization
import TernAuthentication
import TernConnections
import TernErrors
import TernFoundation
import TernTrust

/// Keeps contexts, evaluators and key logs, because reading certificates and keys takes milliseconds.
final class TLSContexts: Sendable {
    private struct Kept {
        var contexts: [TernConnections.TLSConfiguration: NIOSSLContext] = [:]
        var evaluators: [TrustPolicy: TrustEvaluator] = [:]
        var keyLogs: [String: KeyLog] = [:]
    }

    private let kept = Mutex(Kept())

    func evaluator(for policy: TrustPolicy) throws(TLSFailure) -> TrustEvaluator {
        if let evaluator = self.kept.withLock({ $0.evaluators[policy] }) { return evaluator }
        let evaluator = try TrustEvaluator(policy)
        // The handshake needs the roots only when the server's certificates arrive.
        Task { try? evaluator.readSystemRoots() }
        self.kept.withLock { $0.evaluators[policy] = evaluator }
        return evaluator
    }

    /// Returns the context for TLS settings: one for this handshake alone if the decider may choose a certificate.
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

    /// The library's list, and also P-521 and Ed25519, which it supports; without SHA-1.
    ///
    /// RFC 9155 §2: "Clients MUST NOT include MD5 and SHA-1 in this extension."
    private static let signatureAlgorithms: [SignatureAlgorithm] = [
        .ecdsaSecp256R1Sha256, .rsaPssRsaeSha256, .rsaPkcs1Sha256, .ecdsaSecp384R1Sha384, .rsaPssRsaeSha384,
        .rsaPkcs1Sha384, .ecdsaSecp521R1Sha512, .rsaPssRsaeSha512, .rsaPkcs1Sha512, .ed25519,
    ]

    /// The library's list, and also P-521, because TLS 1.2 needs the curve of the server's key in it (RFC 8422 §5.1).
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
    /// Returns the chain and the key in the form that NIOSSL accepts, or throws an error that names no file.
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
            // RFC 7292 §4: a bundle has a MAC that depends on the passphrase, so the library can tell a wrong one.
            if text.contains("INCORRECT_PASSWORD") { throw .wrongPassphrase }
            throw .configuration(
                "the client's certificate or key cannot be read; check the path and the format (TLS library: \(text))"
            )
        }
    }

    /// Reads a key; a failure without a reason counts as `wrongPassphrase` if the key is encrypted, unless it uses scrypt.
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

    /// Returns the identity for a handshake that has begun; checks that the key belongs to the certificate.
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
