// SPDX-License-Identifier: Apache-2.0
import NIOCore
import Testing

@testable import TernHTTP

@Suite("UnsentContent")
struct UnsentContentTests {
    private static func content(_ pieces: String...) -> UnsentContent {
        var content = UnsentContent()
        for piece in pieces { content.append(ByteBuffer(string: piece)) }
        return content
    }

    /// Removes all content, at most `byteCount` bytes at a time, and returns it.
    private static func drain(_ content: inout UnsentContent, by byteCount: Int) -> String {
        var bytes: [UInt8] = []
        while let first = content.first {
            let part = first.prefix(byteCount)
            bytes += part
            content.removeFirst(part.count)
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    @Test(arguments: 1...12)
    func `the content keeps its order, however much is sent at a time`(byteCount: Int) {
        var content = Self.content("one", "", "two", "three")
        #expect(content.byteCount == 11)
        #expect(Self.drain(&content, by: byteCount) == "onetwothree")
        #expect(content.isEmpty)
        #expect(content.first == nil)
    }

    @Test func `empty pieces leave it empty`() {
        var content = Self.content("", "")
        #expect(content.isEmpty)
        #expect(content.first == nil)
        content.removeFirst(0)
        #expect(content.byteCount == 0)
    }

    @Test func `what is short enough needs no wait`() {
        var content = Self.content("four")
        #expect(content.wait(until: 4) == nil)
        #expect(content.takeEndedWait() == nil)
    }

    @Test func `a wait ends once, when enough was sent`() {
        var content = Self.content("four", "more")
        let wait = content.wait(until: 2)
        #expect(wait != nil)
        content.removeFirst(4)
        #expect(content.takeEndedWait() == nil)
        content.removeFirst(1)
        #expect(content.takeEndedWait() == nil)
        content.removeFirst(1)
        #expect(content.takeEndedWait() === wait)
        content.removeFirst(2)
        #expect(content.takeEndedWait() == nil)
    }

    @Test func `content that is dropped returns the wait, which must fail`() {
        var content = Self.content("four", "more")
        let wait = content.wait(until: 0)
        #expect(wait != nil)
        #expect(content.removeAll() === wait)
        #expect(content.isEmpty)
        #expect(content.removeAll() == nil)
        #expect(content.takeEndedWait() == nil)
    }

    @Test func `content that comes after a wait counts`() {
        var content = Self.content("four")
        let wait = content.wait(until: 2)
        #expect(wait != nil)
        content.append(ByteBuffer(string: "more"))
        content.removeFirst(4)
        #expect(content.takeEndedWait() == nil)
        content.removeFirst(2)
        #expect(content.takeEndedWait() === wait)
    }
}
