// SPDX-License-Identifier: Apache-2.0
import NIOCore
import NIOPosix
import NIOSSL
import TernAuthentication
import TernConnections
import TernErrors
import TernFoundation
import TernTrust

extension NIOConnection {
    func startTLS(
        _ configuration: TernConnections.TLSConfiguration,
        to host: String,
        port: Int,
        asking decider: (any TLSDecider)?,
        deadline: CallDeadline?
    ) async throws(ConnectionError) -> TLSFacts {
        let evaluator: TrustEvaluator
        let judge: HandshakeJudge
        let context: NIOSSLContext
        do throws(TLSFailure) {
            evaluator = try self.tls.contexts.evaluator(for: configuration.trust)
            judge = HandshakeJudge(
                evaluator,
                host: host,
                port: port,
                decider: decider,
                showsIdentity: configuration.identity != nil
            )
            context = try self.tls.contexts.context(for: configuration, judge)
        } catch {
            throw .tls(error)
        }
        defer { judge.giveUp() }
        let suspension = Suspension<Result<Agreement, ConnectionError>>()
        self.channel.eventLoop.flatSubmit { self.performHandshake(context, host, judge) }
            .whenComplete { suspension.resume(with: $0.mapError { ConnectionError(handshaking: $0) }) }
        do throws(ConnectionError) {
            let agreement = try await suspension.success(until: deadline, on: self.tls.clock)
            guard let trust = judge.trust else { throw .tls(.handshake("the peer presented no certificate")) }
            return TLSFacts(agreement.facts(trust, judge)) { host in
                await evaluator.evaluate(chain: trust.chain, host: host, at: Date())
            }
        } catch {
            self.close()
            // The client's own reason, if it has one, says more than the library's.
            guard case .tls = error, let decided = judge.failure else { throw error }
            throw .tls(decided)
        }
    }

    private struct Agreement: Sendable {
        var version: TernConnections.TLSConfiguration.Version?
        var cipherSuite: TLSCipherSuite?
        var applicationProtocol: String?

        func facts(_ trust: ServerTrust, _ judge: HandshakeJudge) -> TLSFacts {
            TLSFacts(
                version: self.version,
                cipherSuite: self.cipherSuite,
                applicationProtocol: self.applicationProtocol,
                trust: trust,
                isForOneCall: judge.isForOneCall
            )
        }
    }

    /// Adds TLS to the pipeline, below the connection's handler, on the event loop.
    private func performHandshake(
        _ context: NIOSSLContext,
        _ host: String,
        _ judge: HandshakeJudge
    ) -> EventLoopFuture<Agreement> {
        let completed = self.channel.eventLoop.makePromise(of: String?.self)
        self.readThroughHandlers()
        self.network?.watch()  // the answer to CONNECT may have been polled for
        do {
            let isAddress = (try? SocketAddress(ipAddress: host, port: 0)) != nil
            // "The hostname is represented as a byte string using ASCII encoding without a trailing dot" (RFC 6066 §3).
            let name = host.hasSuffix(".") ? String(host.dropLast()) : host
            let hello = ServerHelloHandler()
            let handler = try NIOSSLClientHandler(
                context: context,
                serverHostname: isAddress ? nil : name,
                customVerificationCallback: { judge.judge($0, $1) }
            )
            self.markEncrypted()
            self.handler.value.beginsTLS(judge)
            // Through a proxy that uses TLS, there are two layers of TLS, and one closer below the two.
            if self.handler.value.socketCloser == nil {
                let closer = SocketCloser()
                try self.channel.pipeline.syncOperations.addHandler(closer, position: .first)
                self.handler.value.closesBelowTLS(by: closer)
            }
            try self.channel.pipeline.syncOperations.addHandlers(
                [hello, handler, HandshakeHandler(completed: completed, hello: hello, judge: judge)],
                position: .before(self.handler.value)
            )
            // Unencrypted bytes that have arrived before would look like bytes that TLS protects, although anyone on the way
            // could have sent them.
            guard self.isIdle else {
                completed.fail(ConnectionError.tls(self.readAvailable() == nil ? .closed : .notTLS))
                return completed.futureResult.map { _ in Agreement() }
            }
            return completed.futureResult.assumeIsolated().map { applicationProtocol in
                self.channel.pipeline.syncOperations.removeHandler(hello, promise: nil)
                let version = handler.tlsVersion.flatMap { TernConnections.TLSConfiguration.Version($0) }
                return Agreement(
                    version: version,
                    cipherSuite: hello.cipherSuite,
                    applicationProtocol: applicationProtocol
                )
            }.nonisolated()
        } catch {
            completed.fail(error)
            return completed.futureResult.map { _ in Agreement() }
        }
    }
}

extension TernConnections.TLSConfiguration.Version {
    fileprivate init?(_ version: TLSVersion) {
        switch version {
        case .tlsv12: self = .tls12
        case .tlsv13: self = .tls13
        default: return nil
        }
    }
}
