// SPDX-License-Identifier: Apache-2.0
import Tern

extension TransferSchedule {
    enum Reaction: Hashable, Sendable {
        case none
        case done
        case stop
    }

    mutating func pause(_ id: TransferID) -> Reaction {
        switch self.entries[id]?.phase {
        case .waiting, .delayed:
            self.update(id) { $0.phase = .paused }
            return .done
        case .running, .stopping(.waiting):
            self.update(id) { $0.phase = .stopping(.paused) }
            return .stop
        case .stopping, .paused, .completed, .failed, .removing, nil: return .none
        }
    }

    mutating func resume(_ id: TransferID) -> Reaction {
        switch self.entries[id]?.phase {
        case .paused, .failed, .delayed:
            self.update(id) { entry in
                entry.phase = .waiting
                (entry.failedAttemptCount, entry.failureCount) = (0, 0)
            }
            return .done
        case .stopping(.paused):
            // The attempt is ending already. Then the next one begins.
            self.update(id) { $0.phase = .stopping(.waiting) }
            return .done
        case .waiting, .running, .stopping, .completed, .removing, nil: return .none
        }
    }

    mutating func beginRemoving(_ id: TransferID) -> Reaction {
        switch self.entries[id]?.phase {
        case .running, .stopping:
            self.update(id) { $0.phase = .stopping(.removing) }
            return .stop
        case nil: return .none
        default:
            self.update(id) { $0.phase = .removing }
            return .done
        }
    }

    mutating func pauseAll() -> [TransferID] {
        self.isPaused = true
        let running = self.index.running.filter { self.entries[$0]?.phase == .running }.sorted()
        for id in running { self.update(id) { $0.phase = .stopping(.waiting) } }
        return running
    }

    mutating func resumeAll() { self.isPaused = false }
}
