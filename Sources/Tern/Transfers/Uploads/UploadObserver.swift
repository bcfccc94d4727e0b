// SPDX-License-Identifier: Apache-2.0
import HTTPTypes
import Synchronization
import TernTransfers
import TernTransport

/// Passes the events of one exchange of an upload to its session, and the progress of the whole file to the delegates.
final class UploadObserver: TransferObserver {
    private struct Sent {
        var hasHead = false
        /// The number of content bytes that were sent since the head.
        var byteCount: Int64 = 0
    }

    private let session: UploadSession
    private let exchange: Int
    private let delegation: TaskDelegation
    private let sent = Mutex(Sent())

    init(_ session: UploadSession, _ exchange: Int, _ delegation: TaskDelegation) {
        self.session = session
        self.exchange = exchange
        self.delegation = delegation
    }

    func didReach(_ milestone: ExchangeMilestone) {
        if case .headSent = milestone {
            // A stage (such as the one for challenges) or the transport may send the request again.
            let isAgain = self.sent.withLock { sent in
                defer { sent = Sent(hasHead: true) }
                return sent.hasHead
            }
            if isAgain { self.session.resent(in: self.exchange) }
        }
        self.delegation.didReach(milestone)
    }

    func didSend(_ byteCount: Int64, of total: Int64?) {
        let new = self.sent.withLock { sent in
            defer { sent.byteCount = byteCount }
            return max(0, byteCount - sent.byteCount)
        }
        let progress = self.session.sent(byteCount: Int(clamping: new), in: self.exchange)
        self.session.hooks?.progress(
            TransferProgress(byteCount: progress.sentByteCount, totalByteCount: progress.totalByteCount),
            progress.acknowledgedByteCount
        )
        self.delegation.didSend(progress.sentByteCount, of: progress.totalByteCount)
    }

    func didReceive(_ byteCount: Int64, of total: Int64?) { self.delegation.didReceive(byteCount, of: total) }

    func didReceiveInformational(_ response: HTTPResponse) {
        let url = self.delegation.currentURL
        let notice = UploadNotice(status: response.status.code, fields: response.headerFields, url: url)
        self.session.informed(notice, in: self.exchange)
        self.delegation.didReceiveInformational(response)
    }
}
