// SPDX-License-Identifier: Apache-2.0
import HTTPTypes
import TernRequests
import Testing

@Suite("Modifiers of a request: options")
struct RequestOptionModifiersTests {
    private let request = Request(.get, "https://example.com")

    @Test func `a timeout is that of the whole call`() {
        let changed = self.request.timeout(.seconds(3))
        #expect(changed.options.callTimeout == .seconds(3))
        #expect(changed.options.timeouts == nil)
        #expect(self.request.options.callTimeout == nil)
    }

    @Test func `of a timeout and timeouts the later decides about the call`() {
        let limits = Timeouts(call: .seconds(1))
        let early = self.request.timeout(.seconds(3)).timeouts(limits)
        #expect(early.options.timeouts(default: Timeouts()).call == .seconds(1))
        let late = self.request.timeouts(limits).timeout(.seconds(3))
        #expect(late.options.timeouts(default: Timeouts()).call == .seconds(3))
    }

    @Test func `a Unix-domain socket leaves the URL as it is`() throws {
        let changed = self.request.unixSocket(path: "/run/some.sock")
        #expect(changed.options.unixSocketPath == "/run/some.sock")
        #expect(try changed.destination().hostField == "example.com")
    }
}
