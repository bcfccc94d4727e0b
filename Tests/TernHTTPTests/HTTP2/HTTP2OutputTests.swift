// SPDX-License-Identifier: Apache-2.0
import NIOCore
import TernConnections
import TernHTTP2
import Testing

@testable import TernHTTP

@Suite("HTTP2Output")
struct HTTP2OutputTests {
    private static func expectTaken(
        _ expected: Bool,
        _ output: inout HTTP2Output,
        at location: SourceLocation = #_sourceLocation
    ) {
        let isTaken = output.take() != nil
        #expect(isTaken == expected, sourceLocation: location)
    }

    private static func stream(_ number: UInt32) -> HTTP2StreamID { HTTP2StreamID(rawValue: number) }

    @Test func `nothing is taken while nothing waits`() {
        var output = HTTP2Output()
        Self.expectTaken(false, &output)
        #expect(!output.isBusy)
    }

    @Test func `one thread at a time hands over`() {
        var output = HTTP2Output()
        output.append([1])
        Self.expectTaken(true, &output)
        output.append([2])
        Self.expectTaken(false, &output)
        output.handedOver(.init(result: .success(true)))
        Self.expectTaken(true, &output)
        output.handedOver(.init(result: .success(true)))
        Self.expectTaken(false, &output)
    }

    @Test func `a stream counts as taken when its batch has been taken`() {
        var output = HTTP2Output()
        output.append([1])
        output.begins(Self.stream(3))
        Self.expectTaken(true, &output)
        #expect(!output.hasTaken(Self.stream(3)))
        output.handedOver(.init(result: .success(true), lastStream: Self.stream(3)))
        #expect(output.hasTaken(Self.stream(1)))
        #expect(output.hasTaken(Self.stream(3)))
        #expect(!output.hasTaken(Self.stream(5)))
    }

    @Test func `after a refusal, it takes nothing more, and keeps nothing`() {
        var output = HTTP2Output()
        output.append([1])
        output.begins(Self.stream(1))
        Self.expectTaken(true, &output)
        output.append([2])
        output.handedOver(.init(result: .failure(.reset)))
        Self.expectTaken(false, &output)
        output.append([3])
        Self.expectTaken(false, &output)
        #expect(!output.hasTaken(Self.stream(1)))
        #expect(output.failure == .reset)
        #expect(!output.isBusy)
    }

    @Test func `it is full only while a thread hands over`() {
        var output = HTTP2Output()
        let content = ByteBuffer(repeating: 0, count: 256 << 10).readableBytesView
        output.append(content: content)
        #expect(!output.isFull)
        Self.expectTaken(true, &output)
        #expect(!output.isFull)
        output.append(content: content)
        #expect(output.isFull)
        output.handedOver(.init(result: .success(true)))
        #expect(!output.isFull)
    }

    @Test func `control bytes count until the connection has room`() {
        var output = HTTP2Output()
        output.addControl(byteCount: 5)
        output.append([1])
        Self.expectTaken(true, &output)
        output.handedOver(.init(result: .success(false)))
        #expect(!output.hasRoom)
        output.addControl(byteCount: 5)
        #expect(output.controlByteCount == 10)
        output.append([1])
        Self.expectTaken(true, &output)
        output.handedOver(.init(result: .success(true)))
        #expect(output.controlByteCount == 0)
        #expect(output.hasRoom)
    }
}
