// SPDX-License-Identifier: Apache-2.0
import Observation
import Tern

/// A delegate that has the progress of an upload, for a view that observes it.
@MainActor @Observable
final class Upload: TaskDelegate {
    private(set) var fraction = 0.0
    private(set) var isDone = false

    func task(_ task: TaskInfo, didSendBodyData progress: TransferProgress) {
        self.fraction = progress.fractionCompleted ?? 0
    }

    func task(_ task: TaskInfo, didCompleteWith error: ClientError?) { self.isDone = error == nil }
}
