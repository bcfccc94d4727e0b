// SPDX-License-Identifier: Apache-2.0
import HTTPTypes
import Synchronization
import TernTransport

/// The events that the transport reports.
extension TaskDelegation: TransferObserver {
    /// The kinds of progress events; a newer event may replace a waiting event of the same kind.
    private enum Kind {
        static let sent = 1
        static let received = 2
    }

    func didReach(_ milestone: ExchangeMilestone) {
        if milestone == .waiting { self.tell { await $0.taskIsWaitingForConnection($1) } }
    }

    func didSend(_ byteCount: Int64, of total: Int64?) {
        let progress = TransferProgress(byteCount: byteCount, totalByteCount: total)
        self.tell(kind: Kind.sent) { task in
            task.sentByteCount = byteCount
        } _: {
            await $0.task($1, didSendBodyData: progress)
        }
    }

    func didReceive(_ byteCount: Int64, of total: Int64?) {
        guard !self.state.withLock({ $0.callReportsProgress }) else { return }
        self.report(TransferProgress(byteCount: byteCount, totalByteCount: total))
    }

    /// Reports the progress of the content.
    func report(_ progress: TransferProgress) {
        self.tell(kind: Kind.received) { task in
            task.receivedByteCount = progress.byteCount
        } _: {
            await $0.task($1, didReceiveBodyData: progress)
        }
    }

    func didReceiveInformational(_ response: HTTPResponse) {
        self.tell(isDispensable: true) { await $0.task($1, didReceiveInformationalResponse: response) }
    }
}

/// The events that the stages report.
extension TaskDelegation {
    /// Leaves reporting the progress to the call, which receives the content in the responses to several requests.
    func leaveProgressToCall() { self.state.withLock { $0.callReportsProgress = true } }

    func willRetry(after delay: Duration, because cause: RetryCause) {
        self.tell { await $0.task($1, willRetryAfter: delay, because: cause) }
    }
}

/// The events that a WebSocket reports.
extension TaskDelegation {
    func didOpenWebSocket(_ subprotocol: String?) {
        self.tell { await $0.task($1, didOpenWebSocket: subprotocol) }
    }

    func didCloseWebSocket(_ code: UInt16?, _ reason: String?) {
        self.tell { await $0.task($1, didCloseWebSocket: code, reason: reason) }
    }
}
