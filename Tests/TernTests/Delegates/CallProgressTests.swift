// SPDX-License-Identifier: Apache-2.0
import ClientTestSupport
import TernConnections
import TernFoundation
import TernRequests
import Testing

@testable import Tern

@Suite("Delegates: the progress of a call")
struct CallProgressTests {
    private static let start = ClockInstant(nanoseconds: 0)

    private var progress = CallProgress(TaskInfo(id: 1, request: Request(url: testURL)))

    private func bytes(_ count: Int64) -> TransferProgress { TransferProgress(byteCount: count, totalByteCount: nil) }

    @Test func `each direction has its bytes, and an attempt begins with none`() {
        var progress = self.progress
        #expect(progress.admits(self.bytes(3), .sent, from: .exchange, at: Self.start) == true)
        #expect(progress.admits(self.bytes(5), .received, from: .exchange, at: Self.start) == true)
        #expect(progress.task.sentByteCount == 3 && progress.task.receivedByteCount == 5)
        progress.begin(Request(.get, "http://other/"), attempt: 2)
        #expect(progress.task.sentByteCount == 0 && progress.task.receivedByteCount == 0)
        #expect(progress.task.attempt == 2 && progress.task.currentRequest.url.host() == "other")
        #expect(progress.task.originalRequest.url == testURL)
    }

    @Test func `once the call reports the content, single responses do not, and uploads still do`() {
        var progress = self.progress
        progress.leaveToCall()
        #expect(progress.admits(self.bytes(5), .received, from: .exchange, at: Self.start) == false)
        #expect(progress.task.receivedByteCount == 0)
        #expect(progress.admits(self.bytes(7), .received, from: .call, at: Self.start) == true)
        #expect(progress.admits(self.bytes(3), .sent, from: .exchange, at: Self.start) == true)
        #expect(progress.task.receivedByteCount == 7)
    }

    @Test func `progress that was kept back is told once, in the end`() {
        var progress = self.progress
        for number in 1...Int64(ProgressPace.unpacedCount) {
            #expect(progress.admits(self.bytes(number), .received, from: .exchange, at: Self.start) == true)
        }
        #expect(progress.admits(self.bytes(100), .received, from: .exchange, at: Self.start) == false)
        #expect(progress.task.receivedByteCount == 100)
        let waiting = progress.takeWaiting()
        #expect(waiting.map(\.direction) == [.received] && waiting.map(\.progress.byteCount) == [100])
        let left = progress.takeWaiting()
        #expect(left.isEmpty)
    }
}
