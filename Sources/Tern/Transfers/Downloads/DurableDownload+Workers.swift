// SPDX-License-Identifier: Apache-2.0
import TernErrors
import TernTransfers
import TernTransport

extension DurableDownload {
    /// Receives several ranges at the same time, each in a child task.
    ///
    /// - Parameter reception: The body of the current response, which worker 0 receives.
    /// - Returns: The step that follows when all workers have left.
    mutating func work(_ reception: Reception) async -> DownloadStep {
        guard let reply = self.reply else { return self.fileFailed(.cancelled) }
        self.reply = nil
        let shared = SharedDownload(self)
        await withTaskGroup(of: Void.self) { group in
            group.addTask {
                var worker = DownloadWorker(0, of: shared, reply)
                await worker.run(.receive(reception))
            }
            while let (number, step) = shared.addWorker() {
                group.addTask {
                    var worker = DownloadWorker(number, of: shared)
                    await worker.run(step)
                }
            }
            while await group.next() != nil {
                if shared.isEnding { group.cancelAll() }
            }
        }
        self = shared.download
        do throws(FileWriter.Failure) {
            try await self.settle()
        } catch {
            return self.fileFailed(error)
        }
        return self.machine.workersLeft()
    }
}
