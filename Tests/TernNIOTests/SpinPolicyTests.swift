// SPDX-License-Identifier: Apache-2.0
import TernConnections
import Testing

@testable import TernNIO

@Suite("Whether a processor is free for a reader that polls, or a caller that sends")
struct SpinPolicyTests {
    private static let now = ClockInstant(nanoseconds: 0)

    @Test(arguments: [1, 2, 4]) func `one processor is for everything else`(processorCount: Int) {
        let policy = SpinPolicy(polls: true, processorCount: processorCount, waits: RecentWaits())
        let areFree = (0..<4).map { _ in policy.readerWaits(at: Self.now).isFree }
        #expect(areFree == (0..<4).map { $0 < processorCount - 1 })
    }

    @Test func `the readers of all channels count, until they get what they wait for`() {
        let waits = RecentWaits()
        let policy = SpinPolicy(polls: true, processorCount: 2, waits: waits)
        let other = SpinPolicy(polls: true, processorCount: 2, waits: waits)
        let (wait, _) = other.readerWaits(at: Self.now)
        let first = policy.readerWaits(at: Self.now)
        #expect(!first.isFree)
        policy.ended(first.wait)
        other.ended(wait)
        let second = policy.readerWaits(at: Self.now)
        #expect(second.isFree)
    }

    @Test func `a reader polls for few bytes, and only if the client polls`() {
        let policy = SpinPolicy(polls: true, processorCount: 2, waits: RecentWaits())
        let polls = policy.pollBegins(forAtLeast: 16 << 10)
        #expect(polls)
        let pollsForMany = policy.pollBegins(forAtLeast: 16 << 10 + 1)
        #expect(!pollsForMany)
        let never = SpinPolicy(polls: false, processorCount: 2, waits: RecentWaits())
        let everPolls = never.pollBegins(forAtLeast: 1)
        #expect(!everPolls)
    }

    @Test func `after slow answers, readers do not poll for a while`() {
        let policy = SpinPolicy(polls: true, processorCount: 2, waits: RecentWaits())
        _ = policy.pollBegins(forAtLeast: 1)
        policy.pollEnded(succeeds: false)
        let polls = policy.pollBegins(forAtLeast: 1)
        #expect(!polls)
    }

    @Test func `the caller sends an answer, once for what the peer has sent`() {
        let policy = SpinPolicy(polls: true, processorCount: 2, waits: RecentWaits())
        let sends = (0..<2).map { _ in policy.callerSends(16 << 10, isCopied: false) }
        #expect(sends == [true, false])
        policy.received()
        let sendsLonger = policy.callerSends(16 << 10 + 1, isCopied: false)
        #expect(!sendsLonger)
        let sendsAfterwards = policy.callerSends(1, isCopied: false)
        #expect(!sendsAfterwards, "the longer bytes were the answer")
    }

    @Test func `the caller sends long bytes that are only copied, also without an answer`() {
        let policy = SpinPolicy(polls: true, processorCount: 2, waits: RecentWaits())
        _ = policy.callerSends(1, isCopied: true)
        let sends = [8 << 10 - 1, 8 << 10, 1 << 20].map { policy.callerSends($0, isCopied: true) }
        #expect(sends == [false, true, true])
    }

    @Test(arguments: [1, 2]) func `while several readers wait, another thread sends`(processorCount: Int) {
        let policy = SpinPolicy(polls: true, processorCount: processorCount, waits: RecentWaits())
        let (first, _) = policy.readerWaits(at: Self.now)
        let isSentByCaller = policy.callerSends(1, isCopied: false)
        #expect(isSentByCaller, "one reader, also on one processor")
        policy.received()
        let (second, _) = policy.readerWaits(at: Self.now)
        let sends = [policy.callerSends(1, isCopied: false), policy.callerSends(1 << 20, isCopied: true)]
        #expect(sends == [false, false])
        policy.ended(first)
        policy.ended(second)
        policy.received()
        _ = policy.readerWaits(at: Self.now)
        let isSentAgain = policy.callerSends(1, isCopied: false)
        #expect(isSentAgain)
    }
}
