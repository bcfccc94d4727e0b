// SPDX-License-Identifier: Apache-2.0
import TernAuthentication
import TernErrors
import TernTransport

extension MemoryConnection {
    /// Asks and decides as TLS would; the bytes stay as they are.
    func startTLS(
        _ configuration: TLSConfiguration,
        to host: String,
        port: Int,
        asking decider: (any TLSDecider)?,
        deadline: Deadline?
    ) async throws(ConnectionError) -> TLSFacts {
        guard let trust = self.trust?(host) else { throw .tls(.configuration("this end does not negotiate TLS")) }
        let decision = await decider?.decide(on: trust, port: port, isEstablished: false) ?? .byDefault
        guard !Task.isCancelled else { throw .cancelled }
        switch decision {
        case .reject:
            throw .tls(.rejected)
        case .byDefault:
            if let failure = trust.evaluation { throw .tls(failure) }
            return TLSFacts(version: .tls13, trust: trust)
        case .accept(let isForOneCall):
            return TLSFacts(version: .tls13, trust: trust, isForOneCall: isForOneCall)
        }
    }
}
