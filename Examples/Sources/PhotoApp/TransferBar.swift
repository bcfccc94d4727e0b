// SPDX-License-Identifier: Apache-2.0
import DemoTerminal
import Tern

/// Shows the progress of one call in one direction: the short response to an upload, for example, would show 100 % at once.
struct TransferBar: TaskDelegate {
    enum Direction {
        case upload, download
    }

    let direction: Direction
    let label: String
    private let bars = ProgressBars()

    init(_ direction: Direction, _ label: String) { (self.direction, self.label) = (direction, label) }

    func task(_ task: TaskInfo, didSendBodyData progress: TransferProgress) {
        if self.direction == .upload { self.show(progress) }
    }

    func task(_ task: TaskInfo, didReceiveBodyData progress: TransferProgress) {
        if self.direction == .download { self.show(progress) }
    }

    func task(_ task: TaskInfo, didCompleteWith error: ClientError?) { self.bars.remove(self.label) }

    private func show(_ progress: TransferProgress) {
        self.bars.show(ProgressBar(self.label, progress.byteCount, of: progress.totalByteCount))
    }
}
