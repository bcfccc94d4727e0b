// SPDX-License-Identifier: Apache-2.0
import HTTPTypes
import TernConnections
import TernErrors
import TernRequests
import TernTesting
import TernTransport
import Testing

@Suite("HTTPCall")
struct HTTPCallTests {
    @Test func `a call to the proxy has one deadline, and nothing of the request but its URL`() throws {
        let clock = ManualClock()
        let request = Request(.post, "https://test/a").header(.cookie, "secret=1").body(form: ["a": "b"])
        let timeouts = Timeouts(call: .seconds(9))
        var call = HTTPCall(request, to: try request.destination(), timeouts: timeouts, clock: clock)
        call.attempt = 2
        clock.advance(by: .seconds(1))
        let deadline = CallDeadline(.connect, limit: .seconds(3), from: clock.now)
        let other = call.callToProxy(until: deadline)
        #expect(other.request.method == .connect)
        #expect(other.request.url == request.url)
        #expect(other.request.fields.isEmpty)
        #expect(other.request.body == nil)
        for limit in [other.timeouts.firstByte, other.timeouts.idle] {
            #expect(other.deadline(.firstByte, limit) == deadline)
        }
        #expect(other.number != call.number)
        let context = other.context(.head)
        #expect(context.origin == "https://test:443")
        #expect(context.attempt == 2)
        #expect(context.elapsed == .seconds(1))
    }

    @Test func `the call itself stays as it is`() throws {
        let clock = ManualClock()
        let request = Request(.post, "https://test/a").body(form: ["a": "b"])
        let call = HTTPCall(request, to: try request.destination(), timeouts: Timeouts(call: .seconds(9)), clock: clock)
        let number = call.number
        _ = call.callToProxy(until: nil)
        #expect(call.request.method == .post)
        #expect(call.request.body != nil)
        #expect(call.deadline?.timeout == .call)
        #expect(call.timeouts.firstByte == .seconds(60))
        #expect(call.number == number)
    }
}
