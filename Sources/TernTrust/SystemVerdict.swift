// SPDX-License-Identifier: Apache-2.0
import TernErrors
import TernFoundation

/// The answer of a system that evaluates its own roots, interpreted here so that the tests of all platforms cover it.
enum SystemVerdict: Hashable, Sendable {
    enum Reason: Hashable, Sendable {
        case expired
        case notYetValid
        case wrongHost
        case wrongUsage
        /// For example, an issuer was not allowed to sign, or a critical extension is unknown.
        case constraint
        /// The system found no path that it trusts.
        case noPath
    }

    case unreadable
    case refused(Reason)
    /// The system refuses the chain for another reason, with this code.
    case refusedWithCode(Int)
    /// The path that the system reports as trusted, in DER form, the server's certificate first.
    case trusted([[UInt8]])
    case abandoned

    /// Asks on a thread of its own, because the question may block; returns ``abandoned`` if the task is cancelled first.
    static func answer(
        onThread start: (@escaping @Sendable () -> Void) -> Void,
        _ ask: @escaping @Sendable () -> SystemVerdict
    ) async -> SystemVerdict {
        let (answers, continuation) = AsyncStream.makeStream(of: SystemVerdict.self)
        start {
            continuation.yield(ask())
            continuation.finish()
        }
        for await answer in answers { return answer }
        return .abandoned
    }

    /// Returns the trusted path, or throws the reason, with details from the received certificates.
    func path(in chain: [[UInt8]], at time: Date) throws(TLSFailure) -> [[UInt8]] {
        switch self {
        case .trusted(let path):
            // An empty path would mean an unverified server.
            guard let first = path.first, first == chain.first else {
                throw .invalidCertificate("the system does not return the chain that it trusts")
            }
            return path
        case .unreadable: throw .invalidCertificate("one of them is malformed")
        case .refused(let reason): throw Self.failure(reason, chain, at: time)
        case .refusedWithCode(let code):
            throw .invalidCertificate("the system does not accept them (error \(code))")
        case .abandoned: throw .invalidCertificate("the system did not answer in time")
        }
    }

    private static func failure(_ reason: Reason, _ chain: [[UInt8]], at time: Date) -> TLSFailure {
        let sent = chain.compactMap { try? ParsedCertificate($0).fields }
        switch reason {
        case .expired:
            let dates = sent.compactMap { certificate -> Date? in
                if case .certificateExpired(let date) = certificate.dateFailure(at: time) { date } else { nil }
            }
            return .certificateExpired(notAfter: dates.first)
        case .notYetValid:
            let dates = sent.compactMap { certificate -> Date? in
                if case .certificateNotYetValid(let date) = certificate.dateFailure(at: time) { date } else { nil }
            }
            return .certificateNotYetValid(notBefore: dates.first)
        case .wrongHost: return .wrongHost(names: (sent.first?.alternativeNames).map(HostIdentity.texts) ?? [])
        case .wrongUsage: return .wrongUsage
        case .constraint: return .constraintViolated
        case .noPath:
            return (try? ReceivedChain(chain))?.reasonForNoPath ?? .unknownRoot(issuer: "an unknown issuer")
        }
    }
}
