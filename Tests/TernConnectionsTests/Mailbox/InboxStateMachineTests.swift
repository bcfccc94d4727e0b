// SPDX-License-Identifier: Apache-2.0
import NIOCore
import TernConnections
import Testing

@Suite("InboxStateMachine")
struct InboxStateMachineTests {
    static let reading: [InboxScenario] = [
        InboxScenario(
            "bytes that are there are given without waiting",
            [
                (.received("ab"), []), (.readCompleted, []), (.read(), [.gives("ab")]), (.read(), [.waits]),
            ]
        ),
        InboxScenario(
            "bytes wake a reader that waits",
            [
                (.read(), [.waits]), (.suspended, []), (.received("ab"), []), (.readCompleted, [.resumes("ab")]),
            ]
        ),
        InboxScenario(
            "bytes that come while the reader suspends wake it at once",
            [
                (.read(), [.waits]), (.received("ab"), []), (.readCompleted, []), (.suspended, [.resumes("ab")]),
            ]
        ),
        InboxScenario(
            "a reader that wants more is woken once, when all is there",
            [
                (.read(4), [.waits]), (.suspended, []), (.received("ab"), []), (.readCompleted, []),
                (.received("cd"), []),
                (.readCompleted, [.resumes("ab")]), (.read(), [.gives("cd")]),
            ]
        ),
        InboxScenario(
            "what a reader waited for is given in pieces without waiting again, and no more than that",
            [
                (.read(4), [.waits]), (.suspended, []), (.received("ab"), []), (.received("cd"), []),
                (.received("ef"), []), (.readCompleted, [.resumes("ab")]), (.read(4), [.gives("cd")]),
                (.read(4), [.waits]), (.suspended, []), (.received("gh"), []), (.readCompleted, [.resumes("ef")]),
                (.read(4), [.gives("gh")]), (.read(4), [.waits]),
            ]
        ),
        InboxScenario(
            "a notice wakes a reader with an empty buffer, once",
            [
                (.read(), [.waits]), (.suspended, []), (.noticed, []), (.readCompleted, [.resumes("")]),
                (.read(), [.waits]),
            ]
        ),
        InboxScenario(
            "a notice comes before bytes and the end, even to a reader that is late",
            [
                (.noticed, []), (.received("ab"), []), (.readCompleted, []), (.ended(nil), [.reportsEnd]),
                (.read(2), [.gives("")]), (.read(2), [.gives("ab")]), (.read(), [.gives(nil)]),
            ]
        ),
        InboxScenario(
            "a notice that comes while the reader suspends is not lost",
            [
                (.read(4), [.waits]), (.noticed, []), (.readCompleted, []), (.suspended, [.resumes("")]),
            ]
        ),
        InboxScenario(
            "the whole is taken in one piece, once the peer has ended its side normally",
            [
                (.received("ab"), []), (.readCompleted, []), (.takenWhole, [.gives(nil)]),
                (.ended(nil), [.reportsEnd]), (.takenWhole, [.gives("ab")]), (.takenWhole, [.gives("")]),
                (.read(), [.gives(nil)]),
            ]
        ),
        InboxScenario(
            "the whole is not taken from several pieces, nor after a failure",
            [
                (.received("ab"), []), (.received("cd"), []), (.readCompleted, []),
                (.ended(.closed), [.reportsEnd]), (.takenWhole, [.gives(nil)]), (.read(), [.gives("ab")]),
                (.read(), [.gives("cd")]), (.takenWhole, [.gives(nil)]), (.read(), [.fails(.closed)]),
            ]
        ),
        InboxScenario(
            "pieces are given one by one, in order",
            [
                (.received("ab"), []), (.received("cdef"), []), (.readCompleted, []), (.read(6), [.gives("ab")]),
                (.read(4), [.gives("cdef")]),
            ]
        ),
        InboxScenario(
            "a small piece is put behind the one before it where there is room",
            [
                (.received("ab", spare: 14), []), (.received("cd"), []), (.readCompleted, []),
                (.read(), [.gives("abcd")]),
            ]
        ),
        InboxScenario(
            "an empty piece is nothing",
            [
                (.received(""), []), (.readCompleted, []), (.read(), [.waits]), (.suspended, []), (.received(""), []),
                (.readCompleted, []),
            ]
        ),
        InboxScenario("a minimum below one counts as one", [(.read(0), [.waits]), (.suspended, [])]),
        InboxScenario(
            "a second reader is refused and the first one goes on",
            [
                (.read(), [.waits]), (.read(), [.fails(.concurrentReads)]),
            ]
        ),
        InboxScenario(
            "a second reader is refused while the first is suspended",
            [
                (.read(), [.waits]), (.suspended, []), (.read(), [.fails(.concurrentReads)]), (.received("ab"), []),
                (.readCompleted, [.resumes("ab")]),
            ]
        ),
        InboxScenario(
            "what has arrived can be taken without waiting",
            [
                (.received("ab"), []), (.readCompleted, []), (.taken, [.gives("ab")]), (.taken, [.gives(nil)]),
            ]
        ),
    ]

    static let backPressure: [InboxScenario] = [
        InboxScenario(
            "reading pauses at the limit and goes on at the half",
            limit: 8,
            [
                (.received("abcd"), []), (.readCompleted, []), (.received("ef"), []), (.received("gh"), []),
                (.readCompleted, [.pauses]), (.read(), [.gives("abcd"), .demands]), (.read(), [.gives("ef")]),
            ]
        ),
        InboxScenario(
            "reading stays paused above the half",
            limit: 8,
            [
                (.received("ab"), []), (.received("cdefghij"), []), (.readCompleted, [.pauses]),
                (.read(), [.gives("ab")]),
                (.read(), [.gives("cdefghij"), .demands]),
            ]
        ),
        InboxScenario(
            "taking without waiting makes room too",
            limit: 4,
            [
                (.received("abcd"), []), (.readCompleted, [.pauses]), (.taken, [.gives("abcd"), .demands]),
            ]
        ),
        InboxScenario(
            "a reader that wants more than the limit gets what fits",
            limit: 4,
            [
                (.read(100), [.waits]), (.suspended, []), (.received("ab"), []), (.readCompleted, []),
                (.received("cd"), []),
                (.readCompleted, [.resumes("ab")]),
            ]
        ),
        InboxScenario(
            "a reader that wants more than is left above the half makes reading go on",
            limit: 8,
            [
                (.received("ab"), []), (.received("cdefgh"), []), (.readCompleted, [.pauses]),
                (.read(), [.gives("ab")]),
                (.read(10), [.waits, .demands]), (.suspended, []), (.received("ij"), []),
                (.readCompleted, [.resumes("cdefghij")]),
            ]
        ),
        InboxScenario(
            "nothing more is asked for after the end",
            limit: 4,
            [
                (.received("abcd"), []), (.readCompleted, [.pauses]), (.ended(nil), [.reportsEnd]),
                (.read(), [.gives("abcd")]),
            ]
        ),
    ]

    static let cancellation: [InboxScenario] = [
        InboxScenario(
            "a suspended reader is resumed",
            [
                (.read(), [.waits]), (.suspended, []), (.cancelled, [.resumesFailing(.cancelled)]), (.cancelled, []),
            ]
        ),
        InboxScenario(
            "a reader that suspends just now is resumed when it has",
            [
                (.read(), [.waits]), (.cancelled, []), (.suspended, [.resumesFailing(.cancelled)]),
            ]
        ),
        InboxScenario(
            "bytes that come meanwhile are kept for the next reader",
            [
                (.read(), [.waits]), (.cancelled, []), (.received("ab"), []), (.readCompleted, []),
                (.suspended, [.resumesFailing(.cancelled)]), (.read(), [.gives("ab")]),
            ]
        ),
        InboxScenario(
            "a reader that has its bytes is not touched",
            [
                (.read(), [.waits]), (.suspended, []), (.received("ab"), []), (.readCompleted, [.resumes("ab")]),
                (.cancelled, []),
            ]
        ),
        InboxScenario(
            "a later reader is not touched by an earlier one's cancellation",
            [
                (.read(), [.waits]), (.suspended, []), (.cancelled, [.resumesFailing(.cancelled)]), (.read(), [.waits]),
                (.suspended, []), (.received("ab"), []), (.readCompleted, [.resumes("ab")]),
            ]
        ),
    ]

    static let time: [InboxScenario] = [
        InboxScenario(
            "a deadline ends the waiting",
            [
                (.read(until: 5), [.waits]), (.suspended, [.arms(5)]),
                (.fired(at: 5), [.resumesFailing(.timedOut(.at(5)))]),
            ]
        ),
        InboxScenario(
            "at its deadline a reader that gathers is given what has arrived, for the peer is not silent",
            [
                (.read(10, until: 5), [.waits]), (.suspended, [.arms(5)]), (.received("ab"), []), (.readCompleted, []),
                (.fired(at: 5), [.resumes("ab")]), (.read(10, until: 9), [.waits]), (.suspended, [.arms(9)]),
                (.fired(at: 9), [.resumesFailing(.timedOut(.at(9)))]),
            ]
        ),
        InboxScenario(
            "no timer is set for bytes that are there",
            [
                (.received("ab"), []), (.readCompleted, []), (.read(until: 5), [.gives("ab")]),
            ]
        ),
        InboxScenario(
            "a later wait uses the timer that is set already, and sets it anew when it fires",
            [
                (.read(until: 5), [.waits]), (.suspended, [.arms(5)]), (.received("ab"), []),
                (.readCompleted, [.resumes("ab")]),
                (.read(until: 9), [.waits]), (.suspended, []), (.fired(at: 5), [.arms(9)]),
                (.fired(at: 9), [.resumesFailing(.timedOut(.at(9)))]),
            ]
        ),
        InboxScenario(
            "an earlier deadline needs an earlier timer",
            [
                (.read(until: 9), [.waits]), (.suspended, [.arms(9)]), (.received("ab"), []),
                (.readCompleted, [.resumes("ab")]),
                (.read(until: 5), [.waits]), (.suspended, [.arms(5)]),
            ]
        ),
        InboxScenario(
            "a timer that fires for nobody is set again by the next wait",
            [
                (.read(until: 5), [.waits]), (.suspended, [.arms(5)]), (.received("ab"), []),
                (.readCompleted, [.resumes("ab")]),
                (.fired(at: 5), []), (.read(until: 9), [.waits]), (.suspended, [.arms(9)]),
            ]
        ),
        InboxScenario(
            "a timer that fires while the reader suspends does no harm",
            [
                (.read(until: 5), [.waits]), (.suspended, [.arms(5)]), (.received("ab"), []),
                (.readCompleted, [.resumes("ab")]),
                (.read(until: 9), [.waits]), (.fired(at: 5), []), (.suspended, [.arms(9)]),
            ]
        ),
        InboxScenario(
            "a standing limit holds for a read without one",
            [
                (.limited(until: 5), []), (.read(), [.waits]), (.suspended, [.arms(5)]),
                (.fired(at: 5), [.resumesFailing(.timedOut(.at(5)))]),
            ]
        ),
        InboxScenario(
            "a standing limit holds for a reader that waits already",
            [
                (.read(until: 9), [.waits]), (.suspended, [.arms(9)]), (.limited(until: 5), [.arms(5)]),
                (.fired(at: 5), [.resumesFailing(.timedOut(.at(5)))]),
            ]
        ),
        InboxScenario(
            "the nearer of both limits holds",
            [
                (.limited(until: 9), []), (.read(until: 5), [.waits]), (.suspended, [.arms(5)]),
                (.fired(at: 5), [.resumesFailing(.timedOut(.at(5)))]),
            ]
        ),
        InboxScenario(
            "a limit that is lifted ends nothing",
            [
                (.limited(until: 5), []), (.read(), [.waits]), (.suspended, [.arms(5)]), (.limited(until: nil), []),
                (.fired(at: 5), []), (.received("ab"), []), (.readCompleted, [.resumes("ab")]),
            ]
        ),
    ]

    static let ending: [InboxScenario] = [
        InboxScenario(
            "an end in order is given again and again",
            [
                (.ended(nil), [.reportsEnd]), (.read(), [.gives(nil)]), (.read(), [.gives(nil)]),
            ]
        ),
        InboxScenario(
            "a failure comes behind the bytes before it",
            [
                (.received("ab"), []), (.readCompleted, []), (.ended(.reset), [.reportsEnd]), (.read(), [.gives("ab")]),
                (.read(), [.fails(.reset)]), (.read(), [.fails(.reset)]),
            ]
        ),
        InboxScenario(
            "an end wakes the reader",
            [
                (.read(), [.waits]), (.suspended, []), (.ended(nil), [.resumes(nil), .reportsEnd]),
            ]
        ),
        InboxScenario(
            "an end wakes a reader that wants more with what there is",
            [
                (.read(10), [.waits]), (.suspended, []), (.received("ab"), []), (.readCompleted, []),
                (.ended(nil), [.resumes("ab"), .reportsEnd]), (.read(10), [.gives(nil)]),
            ]
        ),
        InboxScenario(
            "an end while the reader suspends wakes it at once",
            [
                (.read(), [.waits]), (.ended(.reset), [.reportsEnd]), (.suspended, [.resumesFailing(.reset)]),
            ]
        ),
        InboxScenario(
            "only the first end counts",
            [
                (.ended(nil), [.reportsEnd]), (.ended(.reset), []), (.read(), [.gives(nil)]),
            ]
        ),
        InboxScenario(
            "bytes after the end are dropped",
            [
                (.ended(nil), [.reportsEnd]), (.received("ab"), []), (.readCompleted, []), (.read(), [.gives(nil)]),
            ]
        ),
        InboxScenario(
            "closing drops what is there",
            [
                (.received("ab"), []), (.readCompleted, []), (.closed, []), (.read(), [.fails(.closed)]),
                (.taken, [.gives(nil)]),
            ]
        ),
        InboxScenario(
            "closing fails the reader",
            [
                (.read(), [.waits]), (.suspended, []), (.closed, [.resumesFailing(.closed)]),
            ]
        ),
        InboxScenario(
            "closing keeps an earlier failure",
            [
                (.ended(.reset), [.reportsEnd]), (.closed, []), (.read(), [.fails(.reset)]),
            ]
        ),
        InboxScenario(
            "closing after an end in order makes reading fail",
            [
                (.ended(nil), [.reportsEnd]), (.closed, []), (.read(), [.fails(.closed)]),
            ]
        ),
        InboxScenario(
            "an end after closing is not reported",
            [
                (.closed, []), (.ended(nil), []), (.closed, []),
            ]
        ),
    ]

    @Test(arguments: [Self.reading, Self.backPressure, Self.cancellation, Self.time, Self.ending].joined())
    func `answers each event as listed`(scenario: InboxScenario) {
        var run = InboxRun(limit: scenario.limit)
        for (index, step) in scenario.steps.enumerated() {
            #expect(run.perform(step.event) == step.expected, "step \(index): \(step.event)")
        }
    }

    @Test func `is ready for an exchange only while nothing is there and nothing has ended`() {
        var run = InboxRun()
        #expect(run.machine.isPristine)
        _ = run.perform(.received("ab"))
        #expect(!run.machine.isPristine)
        _ = run.perform(.taken)
        #expect(run.machine.isPristine)
        _ = run.perform(.ended(nil))
        #expect(!run.machine.isPristine)
    }

    @Test func `a piece over a kibibyte is never copied behind another`() {
        var machine = InboxStateMachine(limit: 1 << 20)
        var first = ByteBuffer(string: "ab")
        first.reserveCapacity(1 << 16)
        machine.received(first)
        machine.received(ByteBuffer(repeating: 7, count: 1025))
        #expect(machine.taken().bytes?.readableBytes == 2)
        #expect(machine.taken().bytes?.readableBytes == 1025)
    }
}
