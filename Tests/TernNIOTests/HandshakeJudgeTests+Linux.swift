// SPDX-License-Identifier: Apache-2.0
// Compiled and run on Linux with glibc; never compiled with musl or for Android.

#if !canImport(Darwin)
import NIOCore
import NIOPosix
import NIOSSL
import Synchronization
import TernAuthentication
import TernConnections
import TernErrors
import TernTrust
import TestSupport
import Testing

@testable import TernNIO

/// On Apple platforms, the framework needs no descriptor for the roots.
extension HandshakeJudgeTests {
    /// Without roots, nothing is known about the server, so a delegate must not approve it by mistake.
    @Test func `nothing is asked when the system's roots cannot be read`() async {
        await #expect(processExitsWith: .success) {
            let decider = Credulous()
            let evaluator = try TrustEvaluator(.system)
            func judge() -> HandshakeJudge { HandshakeJudge(evaluator, host: "localhost", port: 443, decider: decider) }
            // The event loops need descriptors, so they start before the table is full.
            #expect(
                try await Self.isAccepted(
                    by: HandshakeJudge(TrustEvaluator(.unverified), host: "a", port: 1, decider: decider)
                )
            )
            #expect(decider.questionCount.load(ordering: .relaxed) == 1)
            do {
                let table = try FullDescriptorTable()
                let blind = judge()
                #expect(try await !Self.isAccepted(by: blind))
                guard case .configuration? = blind.failure else { fatalError("\(String(describing: blind.failure))") }
                #expect(decider.questionCount.load(ordering: .relaxed) == 1)
                withExtendedLifetime(table) {}
            }
            #expect(try await Self.isAccepted(by: judge()))
            #expect(decider.questionCount.load(ordering: .relaxed) == 2)
        }
    }
}
#endif
