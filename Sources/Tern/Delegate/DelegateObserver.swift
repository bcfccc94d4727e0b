// SPDX-License-Identifier: Apache-2.0
import HTTPTypes
import Synchronization
import TernRequests
import TernTransport

/// Tells the delegates of one call what its transport reports.
///
/// Sending and receiving happen in different tasks; the lock keeps the delegate's calls one at a time.
final class DelegateObserver: TransferObserver {
    private static let lastID = Atomic<UInt64>(0)

    private let delegates: [any TaskDelegate]
    private let task: TaskInfo
    private let turn = Mutex(())

    /// `nil` when there is nobody to tell, so that such a call pays nothing.
    static func make(
        task: (any TaskDelegate)?,
        client: (any TaskDelegate)?,
        request: Request
    ) -> DelegateObserver? {
        guard task != nil || client != nil else { return nil }
        return DelegateObserver([task, client].compactMap(\.self), request)
    }

    private init(_ delegates: [any TaskDelegate], _ request: Request) {
        self.delegates = delegates
        let id = Self.lastID.wrappingAdd(1, ordering: .relaxed).newValue
        self.task = TaskInfo(id: id, request: request)
    }

    func didSend(_ byteCount: Int64, of total: Int64?) {
        let progress = TransferProgress(byteCount: byteCount, totalByteCount: total)
        self.tell { $0.task(self.task, didSend: progress) }
    }

    func didReceive(_ byteCount: Int64, of total: Int64?) {
        let progress = TransferProgress(byteCount: byteCount, totalByteCount: total)
        self.tell { $0.task(self.task, didReceive: progress) }
    }

    func didReceiveInformational(_ response: HTTPResponse) {
        self.tell { $0.task(self.task, didReceiveInformational: response) }
    }

    private func tell(_ message: (any TaskDelegate) -> Void) {
        self.turn.withLock { _ in for delegate in self.delegates { message(delegate) } }
    }
}
