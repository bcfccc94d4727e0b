// SPDX-License-Identifier: Apache-2.0
import ClientTestSupport
import Tern
import TernTesting
import TestSupport
import Testing

/// Tests delegates that never answer while a handshake waits.
@Suite("Trust: waiting for a delegate", .hangLimit)
struct TrustWaitingTests {
    /// The delegate that does not answer, and the question.
    enum Silent: CaseIterable {
        case own, shared, ownAboutIdentity

        var entry: TrustServer.Entry { self == .ownAboutIdentity ? .mutual : .row(.valid) }
    }

    /// A client and a call's delegate, one of which does not answer, like a user who ignores a prompt.
    private struct Scene {
        let server: TrustServer
        let client: Client
        let own: TrustDelegate?
        let clock = ManualClock()
        let asked = Signal()
        let cancelled = Signal()

        init(_ silent: Silent) async throws {
            let (asked, cancelled) = (self.asked, self.cancelled)
            let wait = { @Sendable () async -> ChallengeDisposition? in
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
            self.client = self.server.makeClient(delegate: silent == .shared ? silence : nil, clock: self.clock)
            self.own =
                switch silent {
                case .own: silence
                case .shared: nil
                case .ownAboutIdentity: TrustDelegate(identify: { _ in await wait() })
                }
        }

        func fault(_ request: Request) async -> Fault? {
            await ClientTestSupport.fault { () async throws(ClientError) in
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
        let request = scene.server.get(silent.entry).timeouts(Timeouts.patient(connect: .seconds(10)))
        let call = Task { await scene.fault(request) }
        await scene.asked.wait()
        scene.clock.advance(by: .seconds(10))
        #expect(await call.value == .timedOut(.connect))
        await scene.cancelled.wait()
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
        let call = Task { await scene.fault(request.timeouts(Timeouts.patient(call: .seconds(10)))) }
        await scene.asked.wait()
        scene.clock.advance(by: .seconds(10))
        #expect(await call.value == .timedOut(.call))
        await scene.cancelled.wait()
        // The connection is still usable.
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
