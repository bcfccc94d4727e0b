// SPDX-License-Identifier: Apache-2.0
import NIOCore
import NIOSSL
import Synchronization
import TernAuthentication
import TernErrors
import TernTransport
import TernTrust

/// What a connector keeps for all its handshakes: contexts of the TLS library, and those who judge certificates.
///
/// Reading roots and keys takes milliseconds, so each is done once.
final class TLSContexts: Sendable {
    private struct Kept {
        var contexts: [TernTransport.TLSConfiguration: NIOSSLContext] = [:]
        var evaluators: [TrustPolicy: TrustEvaluator] = [:]
        var keyLogs: [String: KeyLog] = [:]
    }

    private let kept = Mutex(Kept())

    /// Who judges by the given policy.
    func evaluator(for policy: TrustPolicy) throws(TLSFailure) -> TrustEvaluator {
        if let evaluator = self.kept.withLock({ $0.evaluators[policy] }) { return evaluator }
        let evaluator = try TrustEvaluator(policy)
        self.kept.withLock { $0.evaluators[policy] = evaluator }
        return evaluator
    }

    /// The context for the given settings; one of its own where somebody may choose the client's certificate.
    func context(
        for configuration: TernTransport.TLSConfiguration,
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
        _ configuration: TernTransport.TLSConfiguration,
        choosing: NIOSSLContextCallback?
    ) throws(TLSFailure) -> NIOSSLContext {
        var translated = NIOSSL.TLSConfiguration.makeClientConfiguration()
        translated.applicationProtocols = configuration.applicationProtocols
        translated.minimumTLSVersion = TLSVersion(configuration.minimumVersion)
        translated.maximumTLSVersion = configuration.maximumVersion.map { TLSVersion($0) }
        // The certificates are judged by ``HandshakeJudge``: roots are of no use here, and reading them costs time.
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
            throw .configuration(TLSFailure.text(of: error))
        }
    }

    private func keyLog(_ path: String) throws(TLSFailure) -> KeyLog {
        if let log = self.kept.withLock({ $0.keyLogs[path] }) { return log }
        let log = try KeyLog(path: path)
        self.kept.withLock { $0.keyLogs[path] = log }
        return log
    }
}

extension TLSVersion {
    fileprivate init(_ version: TernTransport.TLSConfiguration.Version) {
        switch version {
        case .tls12: self = .tlsv12
        case .tls13: self = .tlsv13
        }
    }
}
