// SPDX-License-Identifier: Apache-2.0
public import HTTPTypes
public import Tern

/// A delegate that remembers what it was told.
public final class RecordingDelegate: TaskDelegate {
    /// Something that a delegate is told.
    public enum Event: Hashable, Sendable {
        /// More of the request body was handed to the network.
        case sent(TransferProgress)
        /// More of the response body was read.
        case received(TransferProgress)
        /// An interim response came.
        case informational(HTTPResponse)
    }

    private struct State: Sendable {
        var events: [Event] = []
        var taskIDs: Set<UInt64> = []
    }

    private let state = Observed(State())

    /// Creates a delegate that was told nothing yet.
    public init() {}

    /// What it was told, oldest first.
    public var events: [Event] { self.state.value.events }

    /// The calls it was told about.
    public var taskIDs: Set<UInt64> { self.state.value.taskIDs }

    /// Waits until it was told `count` things in all; returns at once if the task is cancelled.
    public func waitForEvents(_ count: Int) async { await self.state.wait { $0.events.count >= count } }

    public func task(_ task: TaskInfo, didSend progress: TransferProgress) { self.log(.sent(progress), task) }

    public func task(_ task: TaskInfo, didReceive progress: TransferProgress) { self.log(.received(progress), task) }

    public func task(_ task: TaskInfo, didReceiveInformational response: HTTPResponse) {
        self.log(.informational(response), task)
    }

    private func log(_ event: Event, _ task: TaskInfo) {
        self.state.update { state in
            state.events.append(event)
            state.taskIDs.insert(task.id)
        }
    }
}
