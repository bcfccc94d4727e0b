// SPDX-License-Identifier: Apache-2.0
import HTTPTypes
import Synchronization
import TernTransport

/// The events that the transport reports.
extension TaskDelegation: TransferObserver {
    func didReach(_ milestone: ExchangeMilestone) {
        if milestone == .waiting { self.tell { await $0.taskIsWaitingForConnection($1) } }
    }

    func didSend(_ byteCount: Int64, of total: Int64?) {
        self.report(.sent, TransferProgress(byteCount: byteCount, totalByteCount: total), from: .exchange)
    }

    func didReceive(_ byteCount: Int64, of total: Int64?) {
        self.report(.received, TransferProgress(byteCount: byteCount, totalByteCount: total), from: .exchange)
    }

    func report(_ progress: TransferProgress) { self.report(.received, progress, from: .call) }

    private func report(_ direction: Direction, _ progress: TransferProgress, from source: CallProgress.Source) {
        guard self.hasDelegates else { return }
        let now = self.clock.now
        self.post { state in
            guard state.progress.admits(progress, direction, from: source, at: now) else { return .none }
            return state.machine.post(direction.message(state.progress.task, progress), kind: direction.rawValue)
        }
    }

    func didReceiveInformational(_ response: HTTPResponse) {
        self.tell(isDispensable: true) { await $0.task($1, didReceiveInformationalResponse: response) }
    }
}

extension TaskDelegation {
    /// The body of which progress is reported; a newer report may replace a waiting one of the same direction.
    enum Direction: Int, CaseIterable {
        case sent
        case received

        func note(_ byteCount: Int64, in task: inout TaskInfo) {
            switch self {
            case .sent: task.sentByteCount = byteCount
            case .received: task.receivedByteCount = byteCount
            }
        }

        func message(_ task: TaskInfo, _ progress: TransferProgress) -> Message {
            switch self {
            case .sent: .event(task) { await $0.task($1, didSendBodyData: progress) }
            case .received: .event(task) { await $0.task($1, didReceiveBodyData: progress) }
            }
        }
    }
}

/// The events that the stages report.
extension TaskDelegation {
    /// Leaves reporting the progress to the call, which receives the content in the responses to several requests.
    func leaveProgressToCall() { self.state.withLock { $0.progress.leaveToCall() } }

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
