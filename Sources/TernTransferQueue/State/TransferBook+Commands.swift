// SPDX-License-Identifier: Apache-2.0
import Tern
import TernConnections

extension TransferBook {
    enum Removal: Sendable {
        case unknown
        case stop(AttemptStop)
        case remove(StoredTransfer)
    }

    mutating func resume(_ id: TransferID) -> TransferSchedule.Reaction {
        let reaction = self.schedule.resume(id)
        guard reaction == .done, var item = self.items[id] else { return reaction }
        item.failure = nil
        // While an attempt ends, it decides about this itself.
        if self.schedule.entries[id]?.phase == .waiting { item.mayBeProcessed = item.stored.mayBeProcessed }
        self.items[id] = item
        return reaction
    }

    mutating func beginRemoving(_ id: TransferID, tellsServer: Bool) -> Removal {
        self.items[id]?.tellsServer = tellsServer
        guard let item = self.items[id] else { return .unknown }
        return self.schedule.beginRemoving(id) == .stop ? .stop(self.stop(id)) : .remove(item.stored)
    }

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

    mutating func pauseAll() -> [AttemptStop] {
        var stops: [AttemptStop] = []
        for id in self.schedule.pauseAll() {
            self.note(.transfer(id))
            stops.append(self.stop(id))
        }
        return stops
    }
}
