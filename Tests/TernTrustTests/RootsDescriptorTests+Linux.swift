// SPDX-License-Identifier: Apache-2.0
// Compiled and run on Linux with glibc; never compiled with musl.

#if os(Linux)
import TernAuthentication
import TernErrors
import TernTrust
import TestSupport
import Testing

@Suite("Roots without a descriptor", .hangLimit)
struct RootsDescriptorTests {
    @Test func `roots that could not be read are read by the next call`() async {
        await #expect(processExitsWith: .success) {
            let evaluator = try TrustEvaluator(.system)
            do {
                let table = try FullDescriptorTable()
                do throws(TLSFailure) {
                    try evaluator.readSystemRoots()
                    Issue.record("the roots were read without a descriptor")
                } catch {
                    #expect(!error.isTrust)
                }
                let trust = await evaluator.evaluate(chain: [], host: "a", at: TrustEvaluatorTests.time)
                #expect(trust.evaluation?.isTrust == false)
                withExtendedLifetime(table) {}
            }
            try evaluator.readSystemRoots()
        }
    }
}
#endif
