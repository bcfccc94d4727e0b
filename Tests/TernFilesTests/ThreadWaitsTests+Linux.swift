// SPDX-License-Identifier: Apache-2.0
// Compiled and run on Linux with glibc; never compiled with musl.

#if os(Linux)
import Foundation
import Testing

@testable import TernFiles

@Suite("Waits of a thread")
struct ThreadWaitsTests {
    @Test func `a thread that sleeps has waited`() throws {
        let before = try #require(ThreadWaits.count())
        Thread.sleep(forTimeInterval: 0.001)  // the wait that is counted; its length does not matter
        #expect(try #require(ThreadWaits.count()) > before)
    }
}
#endif
