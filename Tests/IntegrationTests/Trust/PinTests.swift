// SPDX-License-Identifier: Apache-2.0
import ClientTestSupport
import Foundation
import Tern
import TestSupport
import Testing

/// Tests pins with real handshakes.
@Suite("Trust: pins", .hangLimit)
struct PinTests {
    /// A key that no server has.
    private static let unused = KeyPin(subjectPublicKeyInfo: [1, 2, 3])

    private func pin(_ name: String, _ server: TrustServer) throws -> KeyPin {
        try KeyPin(base64: try server.matrix.digest(of: name))
    }

    private func set(
        _ pins: [KeyPin],
        backup: [KeyPin] = [unused],
        host: String = "localhost",
        includesSubdomains: Bool = false,
        _ enforcement: PinSet.Enforcement = .enforce
    ) throws -> PinSet {
        try PinSet(
            host: host,
            includesSubdomains: includesSubdomains,
            pins: pins,
            backupPins: backup,
            enforcement: enforcement
        )
    }

    private func fault(_ policy: TrustPolicy, _ request: Request) async throws -> Fault? {
        let client = try await TrustServer.shared.makeClient { $0.tls.trust = policy }
        return await ClientTestSupport.fault { () async throws(ClientError) in try await client.data(for: request) }
    }

    /// RFC 7469 §2.6: a pin may be that of any key of the validated chain.
    @Test(arguments: ["valid", "intermediate", "root"], [false, true])
    func `any key of the path may be pinned, or be the backup`(_ name: String, isBackup: Bool) async throws {
        let server = try await TrustServer.shared
        let pin = try self.pin(name, server)
        let set =
            isBackup ? try self.set([KeyPin(subjectPublicKeyInfo: [4])], backup: [pin]) : try self.set([pin])
        let policy = TrustPolicy.only(server.roots).pinning(set)
        #expect(try await self.fault(policy, server.get(.row(.valid))) == nil)
    }

    @Test func `other keys are refused`() async throws {
        let server = try await TrustServer.shared
        let policy = TrustPolicy.only(server.roots).pinning(try self.set([try self.pin("rsa", server)]))
        #expect(try await self.fault(policy, server.get(.row(.valid))) == .tlsFailed(.pinMismatch))
        // Each set of the host must contain a key of the chain.
        let both = policy.pinning(try self.set([try self.pin("valid", server)]))
        #expect(try await self.fault(both, server.get(.row(.valid))) == .tlsFailed(.pinMismatch))
        // The pins apply only to this host.
        #expect(try await self.fault(policy, server.get(.row(.valid), as: "127.0.0.1")) == nil)
    }

    @Test func `a mismatch that is only reported is on the response`() async throws {
        let server = try await TrustServer.shared
        let set = try self.set([KeyPin(subjectPublicKeyInfo: [4])], .reportOnly)
        let client = server.makeClient { $0.tls.trust = .only(server.roots).pinning(set) }
        let presented = try ["valid", "intermediate", "root"].map { try self.pin($0, server) }
        for _ in 0..<2 {
            let (_, response) = try await client.data(for: server.get(.row(.valid)))
            #expect(response.tls?.trust.pinReports == [PinMismatch(pinSet: set, presented: presented)])
            #expect(response.tls?.trust.isTrusted == true)
        }
    }

    @Test(
        arguments: [
            ("one.tern.test", "tern.test", true, true), ("one.tern.test", "tern.test", false, false),
            ("one.tern.test", "one.tern.test", false, true), ("one.tern.test", "e.tern.test", true, false),
        ]
    )
    func `pins are for hosts below, if they say so`(
        _ host: String,
        _ pinned: String,
        includesSubdomains: Bool,
        applies: Bool
    ) async throws {
        let server = try await TrustServer.shared
        let set = try self.set(
            [KeyPin(subjectPublicKeyInfo: [4])],
            host: pinned,
            includesSubdomains: includesSubdomains
        )
        let policy = TrustPolicy.only(server.roots).pinning(set)
        let fault = try await self.fault(policy, server.get(.row(.wildcard), as: host))
        #expect(fault == (applies ? .tlsFailed(.pinMismatch) : nil))
    }

    @Test func `pins hold with roots besides those of the system`() async throws {
        let server = try await TrustServer.shared
        let policy = TrustPolicy.system(adding: server.roots)
        let right = policy.pinning(try self.set([try self.pin("root", server)]))
        #expect(try await self.fault(right, server.get(.row(.valid))) == nil)
        let wrong = policy.pinning(try self.set([KeyPin(subjectPublicKeyInfo: [4])]))
        #expect(try await self.fault(wrong, server.get(.row(.valid))) == .tlsFailed(.pinMismatch))
    }

    @Test func `pins narrow trust, and make none`() async throws {
        let server = try await TrustServer.shared
        let policy = TrustPolicy.only(server.roots).pinning(try self.set([try self.pin("valid", server)]))
        #expect(try await self.fault(policy, server.get(.row(.selfSigned))) == .tlsFailed(.selfSigned))
        #expect(try await self.fault(policy, server.get(.row(.expired))) == .tlsFailed(.certificateExpired()))
    }

    /// Without verification, only the server's own key counts, because a server can send any other certificate.
    @Test func `pins hold where nothing is verified`() async throws {
        let server = try await TrustServer.shared
        let own = TrustPolicy.unverified.pinning(try self.set([try self.pin("valid", server)]))
        #expect(try await self.fault(own, server.get(.row(.valid))) == nil)
        let above = TrustPolicy.unverified.pinning(try self.set([try self.pin("intermediate", server)]))
        #expect(try await self.fault(above, server.get(.row(.valid))) == .tlsFailed(.pinMismatch))
    }

    @Test func `a delegate may overrule a mismatch, for its call`() async throws {
        let server = try await TrustServer.shared
        let set = try self.set([KeyPin(subjectPublicKeyInfo: [4])])
        let client = server.makeClient { $0.tls.trust = .only(server.roots).pinning(set) }
        let (_, response) = try await client.data(for: server.get(.row(.valid)), delegate: TrustDelegate.approving)
        #expect(response.tls?.trust.evaluation == .pinMismatch)
        let fault = await ClientTestSupport.fault { () async throws(ClientError) in
            try await client.data(for: server.get(.row(.valid)))
        }
        #expect(fault == .tlsFailed(.pinMismatch))
    }
}
