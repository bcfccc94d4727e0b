// SPDX-License-Identifier: Apache-2.0
import Dispatch
import TestSupport
import Testing

@Suite("HangLimit")
struct HangLimitTests {
    @Test func `the process ends with the name of a test that does not notice its cancellation`() async throws {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            let endless = Task { while true { try? await Task.sleep(for: .seconds(3600)) } }
            try await HangLimit(.milliseconds(1)).run("the test") { await endless.value }
        }
        let text = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
        #expect(text.contains("the test has not ended after"))
    }

    @Test func `a test that ends stops the limit, also if it fails`() async throws {
        struct Failure: Error {}
        let limit = HangLimit(.never)
        let first = DispatchWorkItem {}
        try await limit.run(first) { #expect(!first.isCancelled) }
        #expect(first.isCancelled)
        let second = DispatchWorkItem {}
        await #expect(throws: Failure.self) { try await limit.run(second) { throw Failure() } }
        #expect(second.isCancelled)
    }
}
