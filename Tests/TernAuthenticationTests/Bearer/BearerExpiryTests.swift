// SPDX-License-Identifier: Apache-2.0

import TernAuthentication
import TernRequests
import Testing

@Suite("BearerTokenStateMachine: expiry")
struct BearerExpiryTests {
    typealias Machine = BearerTokenStateMachine

    /// The date at which each test begins, in seconds since 1970.
    private static let start: Int64 = 1_000_000

    /// Returns the time some seconds after the beginning, by a date that was set forward or back by `shift` seconds.
    private static func at(_ second: Int64, dateSetBy shift: Int64 = 0) -> TokenRenewal.Moment {
        let date = HTTPDate(secondsSince1970: Self.start + second + shift)
        return TokenRenewal.Moment(date: date, instant: .seconds(second + 50))
    }

    /// Returns a token that expires some seconds after the beginning.
    private static func token(_ value: String, _ second: Int64) -> BearerToken {
        BearerToken(value, expires: HTTPDate(secondsSince1970: Self.start + second))
    }

    /// Returns a machine whose first refresh has returned a token at the beginning.
    private static func machine(refreshed token: BearerToken) -> Machine {
        var machine = Machine()
        #expect(machine.needed(rejecting: nil, at: Self.at(0)) == .refresh(1, replacing: nil, waiter: 1))
        #expect(machine.refreshed(1, .success(token), at: Self.at(0)) == [1])
        return machine
    }

    @Test(arguments: [(0, true), (3569, true), (3570, false), (3600, false), (9999, false)] as [(Int64, Bool)])
    func `a token is sent until 30 seconds before its expiry`(_ second: Int64, _ isSent: Bool) {
        let expected = isSent ? Machine.Decision.use("a") : .refresh(2, replacing: "a", waiter: 2)
        var refreshed = Self.machine(refreshed: Self.token("a", 3600))
        #expect(refreshed.needed(rejecting: nil, at: Self.at(second)) == expected)
        var known = Machine(token: Self.token("a", 3600))
        let decision = known.needed(rejecting: nil, at: Self.at(second))
        #expect(decision == (isSent ? .use("a") : .refresh(1, replacing: "a", waiter: 1)))
    }

    @Test func `a token without an expiry is never replaced before a 401`() {
        var machine = Self.machine(refreshed: BearerToken("a"))
        #expect(machine.needed(rejecting: nil, at: Self.at(1 << 40)) == .use("a"))
        #expect(machine.needed(rejecting: "a", at: Self.at(0)) == .refresh(2, replacing: "a", waiter: 2))
        var known = Machine(token: BearerToken("a"))
        #expect(known.needed(rejecting: nil, at: Self.at(1 << 40)) == .use("a"))
    }

    @Test func `all requests wait for the refresh of an expired token`() {
        var machine = Machine(token: Self.token("a", -1))
        #expect(machine.needed(rejecting: nil, at: Self.at(0)) == .refresh(1, replacing: "a", waiter: 1))
        #expect(machine.needed(rejecting: nil, at: Self.at(0)) == .wait(waiter: 2))
        #expect(machine.needed(rejecting: "a", at: Self.at(0)) == .wait(waiter: 3))
        #expect(machine.refreshed(1, .success(Self.token("b", 3600)), at: Self.at(1)) == [1, 2, 3])
        #expect(machine.needed(rejecting: nil, at: Self.at(1)) == .use("b"))
        #expect(machine.needed(rejecting: nil, at: Self.at(3570)) == .refresh(2, replacing: "b", waiter: 4))
    }

    @Test func `a 401 names another token than the one that has expired since`() {
        var machine = Self.machine(refreshed: Self.token("b", 100))
        #expect(machine.needed(rejecting: "a", at: Self.at(10)) == .use("b"))
        #expect(machine.needed(rejecting: "a", at: Self.at(70)) == .refresh(2, replacing: "b", waiter: 2))
    }

    @Test func `the failure of a refresh is shared, and the next request tries again`() {
        var machine = Machine(token: Self.token("a", 0))
        #expect(machine.needed(rejecting: nil, at: Self.at(0)) == .refresh(1, replacing: "a", waiter: 1))
        #expect(machine.needed(rejecting: nil, at: Self.at(0)) == .wait(waiter: 2))
        #expect(machine.refreshed(1, .failure, at: Self.at(1)) == [1, 2])
        #expect(machine.needed(rejecting: nil, at: Self.at(1)) == .refresh(2, replacing: nil, waiter: 3))
    }

    @Test func `a cancelled refresh that succeeds gives a token with an expiry`() {
        var machine = Machine()
        #expect(machine.needed(rejecting: nil, at: Self.at(0)) == .refresh(1, replacing: nil, waiter: 1))
        #expect(machine.abandoned(1) == 1)
        #expect(machine.refreshed(1, .success(Self.token("a", 100)), at: Self.at(0)) == [])
        #expect(machine.needed(rejecting: nil, at: Self.at(69)) == .use("a"))
        #expect(machine.needed(rejecting: nil, at: Self.at(70)) == .refresh(2, replacing: "a", waiter: 2))
    }

    // MARK: Tokens that are old when they come

    @Test(arguments: [0, -1, -3600, -1_000_000, .min] as [Int64])
    func `a new token that has already expired is sent until a 401, and causes no other refresh`(_ expiry: Int64) {
        let date = HTTPDate(secondsSince1970: expiry == .min ? .min : Self.start + expiry)
        var machine = Self.machine(refreshed: BearerToken("a", expires: date))
        for second in [0, 1, 3600, 100_000] as [Int64] {
            #expect(machine.needed(rejecting: nil, at: Self.at(second)) == .use("a"))
        }
        #expect(machine.needed(rejecting: "a", at: Self.at(1)) == .refresh(2, replacing: "a", waiter: 2))
    }

    @Test(arguments: [(1, 1), (2, 1), (3, 2), (30, 15), (59, 30), (60, 30), (61, 31)] as [(Int64, Int64)])
    func `a token with a short life is sent for half of it`(_ life: Int64, _ end: Int64) {
        var machine = Self.machine(refreshed: Self.token("a", life))
        #expect(machine.needed(rejecting: nil, at: Self.at(0)) == .use("a"))
        #expect(machine.needed(rejecting: nil, at: Self.at(end - 1)) == .use("a"))
        #expect(machine.needed(rejecting: nil, at: Self.at(end)) == .refresh(2, replacing: "a", waiter: 2))
    }

    @Test func `the latest expiry does not overflow`() {
        var machine = Self.machine(refreshed: BearerToken("a", expires: HTTPDate(secondsSince1970: .max)))
        #expect(machine.needed(rejecting: nil, at: Self.at(1 << 38)) == .use("a"))
        let first = TokenRenewal.Moment(date: HTTPDate(secondsSince1970: .min), instant: .zero)
        #expect(machine.needed(rejecting: nil, at: first) == .use("a"))
    }

    // MARK: Dates that are set

    @Test(arguments: [-1, -3600, -1_000_000, .min / 2] as [Int64])
    func `a token expires although the date was set back`(_ shift: Int64) {
        var refreshed = Self.machine(refreshed: Self.token("a", 3600))
        #expect(refreshed.needed(rejecting: nil, at: Self.at(3569, dateSetBy: shift)) == .use("a"))
        let late = refreshed.needed(rejecting: nil, at: Self.at(3570, dateSetBy: shift))
        #expect(late == .refresh(2, replacing: "a", waiter: 2))
        // The length of a token that the app had from the start is counted from its first use.
        var known = Machine(token: Self.token("a", 3600))
        #expect(known.needed(rejecting: nil, at: Self.at(0)) == .use("a"))
        #expect(known.needed(rejecting: nil, at: Self.at(3569, dateSetBy: shift)) == .use("a"))
        let last = known.needed(rejecting: nil, at: Self.at(3570, dateSetBy: shift))
        #expect(last == .refresh(1, replacing: "a", waiter: 1))
    }

    @Test func `a date that is set forward costs one refresh`() {
        var machine = Self.machine(refreshed: Self.token("a", 3600))
        let forward = Self.at(10, dateSetBy: 100_000)
        #expect(machine.needed(rejecting: nil, at: forward) == .refresh(2, replacing: "a", waiter: 2))
        // By the date of the machine, the new token has expired, too.
        #expect(machine.refreshed(2, .success(Self.token("b", 3610)), at: forward) == [2])
        #expect(machine.needed(rejecting: nil, at: Self.at(20, dateSetBy: 100_000)) == .use("b"))
        #expect(machine.needed(rejecting: nil, at: Self.at(20)) == .use("b"))
    }
}
