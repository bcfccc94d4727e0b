// SPDX-License-Identifier: Apache-2.0
import Synchronization
import TestSupport
import Testing

@Suite("Waiting for a condition", .hangLimit)
struct EventuallyTests {
    @Test func `the condition is asked until it holds`() async throws {
        let looks = Mutex(0)
        try await eventually("it was asked 100 times") {
            looks.withLock { looks in
                looks += 1
                return looks == 100
            }
        }
        #expect(looks.withLock { $0 } == 100)
    }

    @Test func `cancellation ends the wait`() async {
        let hasLooked = Flag()
        let waiting = Task {
            try await eventually("never") {
                hasLooked.raise()
                return false
            }
        }
        await hasLooked.wait()
        waiting.cancel()
        await #expect(throws: CancellationError.self) { try await waiting.value }
    }

    @Test func `an error of the condition ends the wait`() async {
        struct Broken: Error {}
        await #expect(throws: Broken.self) { try await eventually("never") { throw Broken() } }
    }

    @Test func `a flag that another task raises is waited for`() async {
        let flag = Flag()
        async let raising: Void = {
            for _ in 0..<3 {
                await Task.yield()
                flag.raise()
            }
        }()
        await flag.wait(for: 3)
        #expect(flag.count == 3)
        await raising
    }
}
