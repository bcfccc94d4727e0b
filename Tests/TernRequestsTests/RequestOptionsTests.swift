// SPDX-License-Identifier: Apache-2.0
import TernRequests
import Testing

@Suite("Options of a request")
struct RequestOptionsTests {
    static let client = Timeouts(connect: .seconds(1), idle: .seconds(2), call: .seconds(3))

    @Test func `by default everything is as the client has it`() {
        let options = RequestOptions()
        #expect(options.timeouts == nil)
        #expect(options.callTimeout == nil)
        #expect(options.maximumBodyByteCount == nil)
        #expect(options.expectsContinue == nil)
        #expect(options.unixSocketPath == nil)
        #expect(options.timeouts(default: Self.client) == Self.client)
    }

    @Test func `the limit of the call leaves the client's other limits`() {
        var options = RequestOptions()
        options.callTimeout = .seconds(9)
        let timeouts = options.timeouts(default: Self.client)
        #expect(timeouts.call == .seconds(9))
        #expect(timeouts.connect == .seconds(1))
        #expect(timeouts.idle == .seconds(2))
    }

    @Test func `the request's limits replace all of the client's`() {
        var options = RequestOptions()
        options.timeouts = Timeouts()
        #expect(options.timeouts(default: Self.client) == Timeouts())
        options.callTimeout = .seconds(9)
        #expect(options.timeouts(default: Self.client) == Timeouts(call: .seconds(9)))
    }
}
