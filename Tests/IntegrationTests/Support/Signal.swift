// SPDX-License-Identifier: Apache-2.0
import HTTPTypes
import Tern

/// An event that one task awaits and another task reports, once or several times.
struct Signal: Sendable {
    private let stream: AsyncStream<Void>
    private let continuation: AsyncStream<Void>.Continuation

    init() { (self.stream, self.continuation) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1)) }

    func report() { self.continuation.yield() }

    func wait() async { for await _ in self.stream { return } }
}

/// A delegate that reports the first sent bytes and the first received bytes.
struct Witness: TaskDelegate {
    let sent = Signal()
    let received = Signal()

    func task(_ task: TaskInfo, didSendBodyData progress: TransferProgress) { self.sent.report() }
    func task(_ task: TaskInfo, didReceiveBodyData progress: TransferProgress) { self.received.report() }
}
