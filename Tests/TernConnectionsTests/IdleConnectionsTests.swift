// SPDX-License-Identifier: Apache-2.0
import Synchronization
import TernConnections
import TestSupport
import Testing

@Suite("IdleConnections", .hangLimit)
struct IdleConnectionsTests {
    /// An owner with a number of idle connections.
    private final class Owner: IdleConnectionOwner {
        private let count: Mutex<Int>

        init(_ count: Int) { self.count = Mutex(count) }

        var left: Int { self.count.withLock { $0 } }

        func closeIdleConnection() async -> Bool {
            self.count.withLock { count in
                guard count > 0 else { return false }
                count -= 1
                return true
            }
        }
    }

    private struct Failure: Error, Equatable {
        var isShortage = true
    }

    private let all = IdleConnections()

    @Test func `the preferred owner is asked first, and the others after it`() async {
        let (first, second) = (Owner(1), Owner(2))
        self.all.add(first)
        self.all.add(second)
        #expect(await self.all.closeOne(of: second))
        #expect((first.left, second.left) == (1, 1))
        #expect(await self.all.closeOne(of: second))
        #expect((first.left, second.left) == (1, 0))
        #expect(await self.all.closeOne(of: second))
        #expect((first.left, second.left) == (0, 0))
        #expect(await !self.all.closeOne(of: second))
        #expect(await !self.all.closeOne())
    }

    @Test func `an owner is not retained, and one that is gone is passed over`() async {
        weak var gone: Owner?
        do {
            let owner = Owner(1)
            self.all.add(owner)
            gone = owner
        }
        #expect(gone == nil)
        #expect(await !self.all.closeOne())
        let last = Owner(1)
        self.all.add(last)
        #expect(await self.all.closeOne())
    }

    @Test(arguments: [0, 1, 3])
    func `opening is repeated as long as it lacks a descriptor and a connection is idle`(_ shortages: Int) async {
        let owner = Owner(2)
        self.all.add(owner)
        var attempts = 0
        let result: Result<Int, Failure>
        do throws(Failure) {
            result = .success(
                try await self.all.opening(whileShort: \.isShortage) { () throws(Failure) in
                    attempts += 1
                    if attempts <= shortages { throw Failure() }
                    return attempts
                }
            )
        } catch {
            result = .failure(error)
        }
        // The third shortage finds no idle connection.
        #expect(result == (shortages < 3 ? .success(shortages + 1) : .failure(Failure())))
        #expect(owner.left == max(0, 2 - shortages))
    }

    @Test func `another failure closes nothing`() async {
        let owner = Owner(1)
        self.all.add(owner)
        await #expect(throws: Failure(isShortage: false)) {
            try await self.all.opening(whileShort: \.isShortage) { () throws(Failure) in
                throw Failure(isShortage: false)
            }
        }
        #expect(owner.left == 1)
    }
}
