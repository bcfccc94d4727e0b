// SPDX-License-Identifier: Apache-2.0
import ClientTestSupport
import Synchronization
import Tern
import TernFoundation
import TernTesting
import TestSupport
import Testing

@Suite("ProgressDelegate", .hangLimit)
struct ProgressDelegateTests {
    private final class Log: Sendable {
        private let counts = Mutex<[Int64]>([])
        var all: [Int64] { self.counts.withLock { $0 } }
        func add(_ progress: TransferProgress) { self.counts.withLock { $0.append(progress.byteCount) } }
    }

    private let scene = ClientScene { _ in .response(body: "0123456789") }

    @Test func `closures are told of both directions`() async throws {
        let (sent, received) = (Log(), Log())
        let delegate = ProgressDelegate(onReceive: { received.add($0) }, onSend: { sent.add($0) })
        let request = Request(.post, testURL)
        _ = try await self.scene.client.upload(for: request, from: Data("hello".utf8), delegate: delegate)
        #expect(sent.all == [5])
        #expect(received.all == [10])
    }

    @Test func `the last progress is reported before the call completes, however many pieces there are`() async throws {
        let sent = Log()
        let delegate = ProgressDelegate(onSend: { sent.add($0) })
        let (pieces, continuation) = AsyncStream<Data>.makeStream()
        for _ in 0..<200 { continuation.yield(Data([7])) }
        continuation.finish()
        var request = Request(.post, testURL)
        request.body = .stream(pieces)
        request.options.expectsContinue = false  // no time limit plays a part
        _ = try await self.scene.client.data(for: request, delegate: delegate)
        #expect(sent.all.last == 200)
        #expect(sent.all == sent.all.sorted())
    }

    @Test func `a loop gets the progress and ends with the call`() async throws {
        let delegate = ProgressDelegate()
        let client = self.scene.client
        async let reply = client.data(from: testURL, delegate: delegate)
        var last: TransferProgress?
        for await progress in delegate.received { last = progress }
        #expect(last?.byteCount == 10)
        #expect(last?.fractionCompleted == 1)
        for await _ in delegate.sent { Issue.record("nothing was sent") }
        #expect(try await reply.0.count == 10)
    }

    @Test func `the sequences and the closures work for the next call, too`() async throws {
        let closure = Log()
        let delegate = ProgressDelegate(onReceive: { closure.add($0) })
        let client = self.scene.client
        for count in 1...3 {
            async let reply = client.data(from: testURL, delegate: delegate)
            var last: TransferProgress?
            for await progress in delegate.received { last = progress }
            #expect(last?.byteCount == 10)
            #expect(try await reply.0.count == 10)
            #expect(closure.all == Array(repeating: 10, count: count))
        }
    }

    @Test func `a loop ends with a later call that fails before its first update`() async throws {
        let fails = Flag()
        let scene = ClientScene { _ in fails.isRaised ? .close : .response(body: "0123456789") }
        let delegate = ProgressDelegate()
        for _ in 0..<2 {
            _ = try? await scene.client.data(from: testURL, delegate: delegate)
            var counts: [Int64] = []
            for await progress in delegate.received { counts.append(progress.byteCount) }
            #expect(counts == (fails.isRaised ? [] : [10]))
            fails.raise()
        }
    }

    @Test func `a loop ends with a call that fails, and with one that is never made`() async throws {
        let scene = ClientScene { _ in .close }
        let delegate = ProgressDelegate()
        let calling = Task { try await scene.client.data(from: testURL, delegate: delegate) }
        for await _ in delegate.received { Issue.record("nothing came") }
        await #expect(throws: ClientError.self) { try await calling.value }
        var unused: ProgressDelegate? = ProgressDelegate()
        let received = try #require(unused?.received)
        unused = nil
        for await _ in received { Issue.record("there is no call") }
    }
}
