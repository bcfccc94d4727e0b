// SPDX-License-Identifier: Apache-2.0
import HTTPTypes
import TernRequests
import TernTesting
import TernTransport
import Testing

@Suite("The context of stages")
struct StageContextTests {
    private enum Count: StageContextKey { typealias Value = Int }
    private enum Name: StageContextKey { typealias Value = String }

    @Test func `values are kept by their keys`() {
        var context = StageContext()
        #expect(context.isEmpty && context[Count.self] == nil)
        context[Count.self] = 1
        context[Name.self] = "one"
        #expect(context[Count.self] == 1 && context[Name.self] == "one" && !context.isEmpty)
        context[Count.self] = nil
        #expect(context[Count.self] == nil && context[Name.self] == "one")
        context[Name.self] = nil
        #expect(context.isEmpty)
    }

    @Test func `a value goes down with the copy on which it was set`() throws {
        let request = Request(.get, "http://example.com/")
        let call = HTTPCall(request, to: try request.destination(), timeouts: Timeouts(), clock: ManualClock())
        var below = call
        below.stageContext[Count.self] = 1
        var further = below
        further.request = further.request.header("X", "1")
        #expect(call.stageContext.isEmpty)
        #expect(further.stageContext[Count.self] == 1)
        #expect(further.request.options == call.request.options)
        #expect(further.number == call.number)
    }

    @Test func `each call has a number of its own`() throws {
        let request = Request(.get, "http://example.com/")
        let numbers = try (0..<3).map { _ in
            HTTPCall(request, to: try request.destination(), timeouts: Timeouts(), clock: ManualClock()).number
        }
        #expect(Set(numbers).count == 3)
    }
}
