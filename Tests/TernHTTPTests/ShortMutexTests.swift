// SPDX-License-Identifier: Apache-2.0
import TernConnections
import Testing

@testable import TernHTTP

@Suite("ShortMutex")
struct ShortMutexTests {
    @Test func `slow work may begin after the lock was released`() {
        let mutex = ShortMutex(1)
        #expect(mutex.withLock { $0 } == 1)
        SlowWork.begins()
    }

    @Test func `slow work under the lock traps`() async {
        await #expect(processExitsWith: .failure) {
            let mutex = ShortMutex(1)
            mutex.withLock { _ in SlowWork.begins() }
        }
    }

    @Test func `slow work under the outer of two locks traps`() async {
        await #expect(processExitsWith: .failure) {
            let outer = ShortMutex(1)
            let inner = ShortMutex(2)
            outer.withLock { _ in
                inner.withLock { $0 += 1 }
                SlowWork.begins()
            }
        }
    }
}
