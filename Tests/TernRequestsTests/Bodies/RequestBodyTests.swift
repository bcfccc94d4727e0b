// SPDX-License-Identifier: Apache-2.0
import TernFoundation
import TernRequests
import Testing

@Suite("Bodies")
struct RequestBodyTests {
    private let stream = AsyncStream<Data> { $0.finish() }

    @Test func `data has a length and can be sent again`() {
        let body = RequestBody.data(Data([1, 2, 3]))
        #expect(body.length == 3)
        #expect(body.isReplayable)
        #expect(body.contentType == nil)
    }

    @Test func `a file has no length before it is opened, and can be sent again`() {
        let body = RequestBody.file(URL(filePath: "/tmp/a"), contentType: "text/plain")
        #expect(body.length == nil)
        #expect(body.isReplayable)
        #expect(body.contentType == "text/plain")
    }

    @Test(arguments: [nil, 0, 7, Int64.max])
    func `a stream has the length that was announced, and cannot be sent again`(length: Int64?) {
        let body = RequestBody.stream(self.stream, length: length)
        #expect(body.length == length)
        #expect(!body.isReplayable)
    }

    @Test func `a stream that is made anew can be sent again`() {
        let body = RequestBody.replayableStream(length: 5) { AsyncStream<[UInt8]> { $0.finish() } }
        #expect(body.length == 5)
        #expect(body.isReplayable)
    }

    @Test func `the media type can be changed`() {
        var body = RequestBody(.data(Data()), contentType: "a/b")
        body.contentType = "c/d"
        #expect(body.contentType == "c/d")
    }
}
