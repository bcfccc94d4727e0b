// SPDX-License-Identifier: Apache-2.0
import Testing

@testable import TernNIO

@Suite("NameGroup")
struct NameGroupTests {
    @Test(arguments: [
        ("a.example.com", "b.c.EXAMPLE.com"), ("example.com", "example.com."), ("a.example.co.uk", "b.example.co.uk"),
        ("localhost", "LOCALHOST"), ("a.example.de", "example.de"), ("", "."),
    ])
    func `names below one registrable domain are one group`(_ one: String, _ other: String) {
        #expect(NameGroup(of: one) == NameGroup(of: other))
    }

    @Test(arguments: [
        ("example.com", "example.org"), ("a.example.com", "a.other.com"), ("one.co.uk", "two.co.uk"),
        ("localhost", "host"), ("a.com.au", "b.com.au"),
    ])
    func `other names are of other groups`(_ one: String, _ other: String) {
        #expect(NameGroup(of: one) != NameGroup(of: other))
    }
}

@Suite("AnsweredNames")
struct AnsweredNamesTests {
    @Test func `the latest result of a look-up counts`() {
        var names = AnsweredNames()
        names.record("a", isAnswered: true)
        names.record("b", isAnswered: false)
        #expect(names.contains("a") && !names.contains("b"))
        names.record("a", isAnswered: false)
        names.record("b", isAnswered: true)
        #expect(!names.contains("a") && names.contains("b"))
    }

    @Test func `only the latest names are remembered`() {
        var names = AnsweredNames()
        names.record("often", isAnswered: true)
        for number in 0..<10_000 {
            names.record("name-\(number)", isAnswered: true)
            names.record("often", isAnswered: true)
            #expect(names.contains("name-\(number)") && names.contains("often"))
        }
        #expect((0..<10_000).count { names.contains("name-\($0)") } <= AnsweredNames.maximumCount)
    }
}

@Suite("RotatingQueue")
struct RotatingQueueTests {
    private static func filled() -> RotatingQueue<String, Int> {
        var queue = RotatingQueue<String, Int>()
        for (group, element) in [("a", 1), ("a", 2), ("b", 3), ("c", 4), ("a", 5), ("b", 6)] {
            queue.append(element, to: group)
        }
        return queue
    }

    private static func rest(of queue: RotatingQueue<String, Int>, _ mayLeave: (String) -> Bool) -> [Int] {
        var (queue, rest) = (queue, [Int]())
        while let element = queue.popFirst(where: mayLeave) { rest.append(element) }
        return rest
    }

    @Test func `groups take turns, and each keeps its order`() {
        #expect(Self.rest(of: Self.filled()) { _ in true } == [1, 3, 4, 2, 6, 5])
    }

    @Test func `a group that may not leave keeps its place and its elements`() {
        var queue = Self.filled()
        #expect(queue.popFirst { $0 != "a" } == 3)
        #expect(queue.popFirst { _ in false } == nil)
        #expect(queue.count == 5)
        #expect(Self.rest(of: queue) { _ in true } == [1, 4, 6, 2, 5])
    }

    @Test func `elements that are not kept are gone`() {
        var queue = Self.filled()
        queue.keep { $0 % 2 == 0 }
        #expect(queue.count == 3)
        #expect(Self.rest(of: queue) { _ in true } == [2, 6, 4])
        queue.keep { _ in false }
        #expect(queue.count == 0)
        queue.append(7, to: "a")
        #expect(Self.rest(of: queue) { _ in true } == [7])
    }
}
