// SPDX-License-Identifier: Apache-2.0
import NIOSSL
import Synchronization
import TernErrors
import TernTransport

/// The TLS contexts that a connector made; reading the system's roots takes milliseconds, so each is made once.
final class TLSContexts: Sendable {
    private let contexts = Mutex<[TernTransport.TLSConfiguration: NIOSSLContext]>([:])

    /// The context for the given settings.
    func context(
        for configuration: TernTransport.TLSConfiguration
    ) throws(ConnectionError) -> NIOSSLContext {
        if let context = self.contexts.withLock({ $0[configuration] }) { return context }
        do {
            let context = try NIOSSLContext(configuration: Self.translate(configuration))
            self.contexts.withLock { $0[configuration] = context }
            return context
        } catch {
            throw .tls(.configuration(String(describing: error)))
        }
    }

    private static func translate(
        _ configuration: TernTransport.TLSConfiguration
    ) throws -> NIOSSL.TLSConfiguration {
        var translated = NIOSSL.TLSConfiguration.makeClientConfiguration()
        translated.applicationProtocols = configuration.applicationProtocols
        translated.minimumTLSVersion = configuration.minimumVersion == .tls13 ? .tlsv13 : .tlsv12
        let roots = try configuration.additionalRoots.flatMap(Self.certificates)
        if configuration.trustsSystemRoots {
            translated.additionalTrustRoots = [.certificates(roots)]
        } else {
            translated.trustRoots = .certificates(roots)
        }
        return translated
    }

    private static func certificates(
        _ certificate: TernTransport.TLSConfiguration.Certificate
    ) throws -> [NIOSSLCertificate] {
        switch certificate {
        case .pemFile(let path): try NIOSSLCertificate.fromPEMFile(path)
        case .pem(let text): try NIOSSLCertificate.fromPEMBytes(Array(text.utf8))
        case .der(let bytes): [try NIOSSLCertificate(bytes: bytes, format: .der)]
        }
    }
}
