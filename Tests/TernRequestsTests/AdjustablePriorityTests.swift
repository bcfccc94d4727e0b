// SPDX-License-Identifier: Apache-2.0
import HTTPTypes
import Synchronization
import TernRequests
import Testing

@Suite("RFC 9218: a priority that changes")
struct AdjustablePriorityTests {
    private final class Values: Sendable {
        private let values = Mutex<[Int]>([])

        var all: [Int] { self.values.withLock { $0 } }

        func note(_ priority: RequestPriority) { self.values.withLock { $0.append(priority.urgency) } }
    }

    @Test func `listeners get each change until they are released`() {
        let priority = AdjustablePriority()
        #expect(priority.current == RequestPriority())
        let (one, other) = (Values(), Values())
        var first: AdjustablePriority.Listener? = priority.onChange { one.note($0) }
        let second = priority.onChange { other.note($0) }
        priority.current = RequestPriority(urgency: 1)
        priority.current = RequestPriority(urgency: 1)
        #expect(first != nil)
        first = nil
        priority.current = RequestPriority(urgency: 2)
        withExtendedLifetime(second) {}
        #expect(one.all == [1])
        #expect(other.all == [1, 2])
    }

    @Test func `the request has the present value, and a fixed priority replaces it`() throws {
        let name = try #require(HTTPField.Name("priority"))
        let priority = AdjustablePriority(RequestPriority(urgency: 6))
        let request = Request(.get, "https://test/").priority(priority)
        #expect(request.fields[values: name] == ["u=6"])
        #expect(request.options.adjustablePriority === priority)
        let fixed = request.priority(RequestPriority(urgency: 0))
        #expect(fixed.fields[values: name] == ["u=0"])
        #expect(fixed.options.adjustablePriority == nil)
        #expect(fixed.options == Request(.get, "https://test/").options)
        #expect(request.options != Request(.get, "https://test/").priority(AdjustablePriority()).options)
    }
}
