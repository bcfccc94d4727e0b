// SPDX-License-Identifier: Apache-2.0
import HTTPTypes
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

    @Test func `options are equal if their values are, and empty without values`() {
        enum Name: RequestOption { typealias Value = String }
        enum Other: RequestOption { typealias Value = String }
        var one = RequestOptions()
        var other = one
        one.callTimeout = .seconds(1)
        one[Name.self] = "a"
        #expect(one != other)
        other[Name.self] = "a"
        other.callTimeout = .seconds(1)
        #expect(one == other)
        #expect(one.hashValue == other.hashValue)
        other[Name.self] = "b"
        #expect(one != other)
        #expect(one[Name.self] == "a")  // a copy keeps its values
        #expect(one[Other.self] == nil)
        one[Name.self] = nil
        one.callTimeout = nil
        one.sensitiveFields = []
        #expect(one.isEmpty)
        #expect(one == RequestOptions())
    }

    @Test func `only options whose key is their type are keyed options`() {
        enum Name: RequestOption { typealias Value = String }
        var options = RequestOptions()
        options.timeouts = Timeouts()
        options.callTimeout = .seconds(9)
        options.maximumBodyByteCount = 1
        options.expectsContinue = true
        options.decodesContent = true
        options.unixSocketPath = "/socket"
        options.redirects = .never
        options.sensitiveFields = [.accept]
        options.compression = RequestCompression(minimumByteCount: 1)
        options.isRepeatable = false
        #expect(!options.hasKeyedOptions)
        options[Name.self] = "a"
        #expect(options.hasKeyedOptions)
    }

    @Test(arguments: [nil, true, false] as [Bool?])
    func `a request is repeatable if its method is idempotent, or as its option says`(option: Bool?) {
        for method in [HTTPRequest.Method.get, .put, .delete, .post, .patch] {
            var request = Request(method, "http://test/")
            request.options.isRepeatable = option
            #expect(request.isRepeatable == option ?? method.isIdempotent)
        }
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
