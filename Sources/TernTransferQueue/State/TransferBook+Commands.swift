// SPDX-License-Identifier: Apache-2.0
import Tern
import TernConnections

/// The commands of the application, after they are on the disk.
extension TransferBook {
    /// The next step for a transfer that is removed.
    enum Removal: Sendable {
        /// There is no such transfer.
        case unknown
        /// Its attempt ends first.
        case stop(AttemptStop)
        /// Its files are deleted now.
        case remove(StoredTransfer)
    }

    /// Lets a transfer go on.
    mutating func resume(_ id: TransferID) -> TransferSchedule.Reaction {
        let reaction = self.schedule.resume(id)
        guard reaction == .done, var item = self.items[id] else { return reaction }
        item.failure = nil
        // While an attempt ends, it decides about this itself.
        if self.schedule.entries[id]?.phase == .waiting { item.mayBeProcessed = item.stored.mayBeProcessed }
        self.items[id] = item
        return reaction
    }

    /// Begins to remove a transfer.
    ///
    /// - Parameters:
    ///   - id: The transfer.
    ///   - tellsServer: Whether the server is asked to delete a part of an upload.
    /// - Returns: The next step.
    mutating func beginRemoving(_ id: TransferID, tellsServer: Bool) -> Removal {
        self.items[id]?.tellsServer = tellsServer
        guard let item = self.items[id] else { return .unknown }
        return self.schedule.beginRemoving(id) == .stop ? .stop(self.stop(id)) : .remove(item.stored)
    }

    /// Returns a transfer that could not be removed to the state that it has on the disk.
    mutating func cancelRemoving(_ id: TransferID) {
        guard let item = self.items[id] else { return }
        self.schedule.update(id) { entry in
            guard entry.phase == .removing else { return }
            switch item.stored.phase {
            case .waiting, .delayed: entry.phase = .waiting
            case .paused: entry.phase = .paused
            case .completed: entry.phase = .completed
            case .failed: entry.phase = .failed
            }
        }
        self.note(.transfer(id))
    }

    /// Pauses all transfers.
    ///
    /// - Returns: The attempts that must end.
    mutating func pauseAll() -> [AttemptStop] {
        var stops: [AttemptStop] = []
        for id in self.schedule.pauseAll() {
            self.note(.transfer(id))
            stops.append(self.stop(id))
        }
        return stops
    }
}
