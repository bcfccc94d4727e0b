// SPDX-License-Identifier: Apache-2.0
import Tern
import TestSupport
import Testing

/// Delegates that never answer while a handshake waits.
@Suite("Trust: waiting for a delegate", .timeLimit(.minutes(1)))
struct TrustWaitingTests {
    /// Who does not answer, and about what.
    enum Silent: CaseIterable {
        case own, shared, ownAboutIdentity

        var entry: TrustServer.Entry { self == .ownAboutIdentity ? .mutual : .row(.valid) }
    }

    /// A client and a call's delegate, one of which leaves a question open, as a user does with a prompt.
    private struct Scene {
        let server: TrustServer
        let client: Client
        let own: TrustDelegate?
        let asked = Signal()
        let wasAsked = Flag()
        let cancelled = Signal()

        init(_ silent: Silent) async throws {
            let (asked, wasAsked, cancelled) = (self.asked, self.wasAsked, self.cancelled)
            let wait = { @Sendable () async -> ChallengeDisposition? in
                wasAsked.raise()
                asked.report()
                await withTaskCancellationHandler {
                    _ = try? await Task.sleep(for: .seconds(3600))
                } onCancel: {
                    cancelled.report()
                }
                return .cancel
            }
            let silence = TrustDelegate { _ in await wait() }
            self.server = try await TrustServer.shared
            self.client = self.server.makeClient(delegate: silent == .shared ? silence : nil)
            self.own =
                switch silent {
                case .own: silence
                case .shared: nil
                case .ownAboutIdentity: TrustDelegate(identify: { _ in await wait() })
                }
        }

        /// Calls with more and more time until that is enough for the question: a busy machine may need some.
        func expect(_ fault: Fault, of request: Request, _ timeouts: (Duration) -> Timeouts) async throws {
            for seconds in [1, 4, 16, 32] {
                #expect(await self.fault(request.timeouts(timeouts(.seconds(seconds)))) == fault)
                guard self.wasAsked.isRaised else { continue }
                return await self.cancelled.wait()
            }
            Issue.record("nobody was asked")
        }

        func fault(_ request: Request) async -> Fault? {
            await IntegrationTests.fault { () async throws(ClientError) in
                try await self.client.data(for: request, delegate: self.own)
            }
        }
    }

    @Test(arguments: Silent.allCases)
    func `cancelling the call ends the handshake`(_ silent: Silent) async throws {
        let scene = try await Scene(silent)
        let call = Task { await scene.fault(scene.server.get(silent.entry)) }
        await scene.asked.wait()
        call.cancel()
        #expect(await call.value == .cancelled)
        await scene.cancelled.wait()
    }

    @Test(arguments: Silent.allCases)
    func `the limit of connecting ends the handshake`(_ silent: Silent) async throws {
        let scene = try await Scene(silent)
        try await scene.expect(.timedOut(.connect), of: scene.server.get(silent.entry)) { Timeouts(connect: $0) }
    }

    @Test func `a server that has no patience ends the handshake`() async throws {
        let server = try await OpenSSLServer.launch()
        let scene = try await Scene(.own)
        let call = Task { await scene.fault(server.get()) }
        await scene.asked.wait()
        server.stop()
        #expect(await call.value == .tlsFailed(.closed))
        await scene.cancelled.wait()
    }

    @Test func `the limit of the call holds for an open connection`() async throws {
        let scene = try await Scene(.own)
        let request = scene.server.get(.row(.valid))
        _ = try await scene.client.data(for: request)
        try await scene.expect(.timedOut(.call), of: request) { Timeouts(call: $0) }
        // The connection is as good as before.
        let (_, response) = try await scene.client.data(for: request)
        #expect(response.isConnectionReused)
    }

    @Test func `cancelling the call ends the question on an open connection`() async throws {
        let scene = try await Scene(.own)
        let request = scene.server.get(.row(.valid))
        _ = try await scene.client.data(for: request)
        let call = Task { await scene.fault(request) }
        await scene.asked.wait()
        call.cancel()
        #expect(await call.value == .cancelled)
        await scene.cancelled.wait()
    }
}
