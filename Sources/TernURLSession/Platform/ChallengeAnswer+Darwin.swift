// SPDX-License-Identifier: Apache-2.0
// Compiled against stand-ins (scripts/check apple); never run.

#if canImport(Darwin)
import Security
import TernAuthentication
import TernConnections
import TernErrors
import TernTransport
import TernTrust
import TernURLLoading

extension ChallengeAnswer {
    /// Asks the call's delegates about certificates, leaves proxies, Kerberos and NTLM to the system, and for any other challenge,
    /// gives the response to the stages of the client.
    static func answer(_ challenge: URLAuthenticationChallenge, for call: HTTPCall) async -> ChallengeAnswer {
        let space = challenge.protectionSpace
        switch space.authenticationMethod {
        case NSURLAuthenticationMethodServerTrust:
            return await Self.answer(trust: space.serverTrust, space, for: call)
        case NSURLAuthenticationMethodClientCertificate: return await Self.answer(certificateFor: space, for: call)
        case NSURLAuthenticationMethodNegotiate, NSURLAuthenticationMethodNTLM: return .byDefault
        default: return space.isProxy() ? .byDefault : ChallengeAnswer(.rejectProtectionSpace)
        }
    }

    private static func answer(
        trust: SecTrust?,
        _ space: URLProtectionSpace,
        for call: HTTPCall
    ) async -> ChallengeAnswer {
        guard let decider = call.decider, let trust, let evaluator = try? TrustEvaluator(.system) else {
            return .byDefault
        }
        let certificates = SecTrustCopyCertificateChain(trust) as? [SecCertificate] ?? []
        let chain = certificates.map { [UInt8](SecCertificateCopyData($0) as Data) }
        let evaluated = await evaluator.evaluate(chain: chain, host: space.host, at: Date())
        switch await decider.decide(on: evaluated, port: space.port, isEstablished: false) {
        case .accept(let isForOneCall) where !evaluated.isTrusted:
            let credential = URLCredential(trust: trust)
            return ChallengeAnswer(.useCredential, credential, trust: evaluated, isForOneCall: isForOneCall)
        // A trusted server needs no exception, and so other calls may use the connection.
        case .byDefault, .accept: return ChallengeAnswer(.performDefaultHandling, trust: evaluated)
        case .reject: return Self.refused(.rejected, call)
        }
    }

    private static func answer(certificateFor space: URLProtectionSpace, for call: HTTPCall) async -> ChallengeAnswer {
        guard let decider = call.decider else { return .byDefault }
        let request = ClientCertificateRequest(host: space.host, port: space.port)
        switch await decider.identity(for: request) {
        case .none: return .byDefault
        case .show(let identity, let isForOneCall):
            do throws(TLSFailure) {
                let credential = try SystemIdentity.credential(for: identity)
                return ChallengeAnswer(.useCredential, credential, isForOneCall: isForOneCall)
            } catch {
                return Self.refused(error, call)
            }
        case .reject: return Self.refused(.rejected, call)
        }
    }

    private static func refused(_ reason: TLSFailure, _ call: HTTPCall) -> ChallengeAnswer {
        var context = call.context(.tls)
        context.delivery = .notSent
        return ChallengeAnswer(.cancelAuthenticationChallenge, failure: .tlsFailed(reason, context))
    }
}

private enum SystemIdentity {
    static func credential(for identity: ClientIdentity) throws(TLSFailure) -> URLCredential {
        let (bytes, passphrase) = try Self.content(of: identity)
        var imported: CFArray?
        let options = [kSecImportExportPassphrase as String: passphrase ?? ""]
        switch SecPKCS12Import(Data(bytes) as CFData, options as CFDictionary, &imported) {
        case errSecSuccess: break
        case errSecAuthFailed, errSecPkcs12VerifyFailure: throw .wrongPassphrase
        case let status: throw .configuration("the system cannot read the client's certificate (\(status))")
        }
        guard let items = imported as? [[String: Any]], let first = items.first,
            let identity = Self.identity(first[kSecImportItemIdentity as String])
        else { throw .configuration("the PKCS#12 file has no identity") }
        let certificates = first[kSecImportItemCertChain as String] as? [Any]
        return URLCredential(
            identity: identity,
            certificates: certificates.map { Array($0.dropFirst()) },
            persistence: .none
        )
    }

    /// Returns a value as an identity, by its type ID, because `as?` always succeeds for a type of Core Foundation.
    private static func identity(_ value: Any?) -> SecIdentity? {
        guard let object = value.map({ $0 as AnyObject }), CFGetTypeID(object) == SecIdentityGetTypeID() else {
            return nil
        }
        return unsafeDowncast(object, to: SecIdentity.self)
    }

    private static func content(of identity: ClientIdentity) throws(TLSFailure) -> ([UInt8], String?) {
        switch identity.content {
        case .pkcs12(let bytes, let passphrase): return (bytes, passphrase)
        case .pkcs12File(let path, let passphrase):
            guard let data = FileManager.default.contents(atPath: path) else {
                throw .configuration("the file of the client's certificate cannot be read")
            }
            return ([UInt8](data), passphrase)
        case .pem, .pemFiles:
            throw .configuration("URLSession needs the client's certificate and key as PKCS#12, not as PEM")
        }
    }
}
#endif
