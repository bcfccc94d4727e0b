// SPDX-License-Identifier: Apache-2.0
import TernAuthentication
import TernErrors
import TernTrust
import TestSupport
import Testing

@Suite("Roots without a descriptor", .hangLimit)
struct RootsDescriptorTests {
    @Test func `roots that could not be read are read by the next call`() async {
        await #expect(processExitsWith: .success) {
            do {
                let table = try FullDescriptorTable()
                do throws(TLSFailure) {
                    _ = try TrustEvaluator(.system)
                    Issue.record("the roots were read without a descriptor")
                } catch {
                    #expect(!error.isTrust)
                }
                withExtendedLifetime(table) {}
            }
            _ = try TrustEvaluator(.system)
        }
    }
}
