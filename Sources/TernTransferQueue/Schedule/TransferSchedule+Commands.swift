// SPDX-License-Identifier: Apache-2.0
import Tern

extension TransferSchedule {
    /// The reaction to a command of the application.
    enum Reaction: Hashable, Sendable {
        /// The command has no effect.
        case none
        /// The transfer has its new state.
        case done
        /// The transfer is running: end its attempt.
        case stop
    }

    /// Pauses a transfer.
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

    /// Lets a transfer go on that is paused, failed or delayed, as if none of its attempts had failed.
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

    /// Begins to remove a transfer, which then does not start any more.
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

    /// Pauses all transfers.
    ///
    /// - Returns: The transfers whose attempts must end.
    mutating func pauseAll() -> [TransferID] {
        self.isPaused = true
        let running = self.index.running.filter { self.entries[$0]?.phase == .running }.sorted()
        for id in running { self.update(id) { $0.phase = .stopping(.waiting) } }
        return running
    }

    /// Ends the effect of ``pauseAll()``.
    mutating func resumeAll() { self.isPaused = false }
}
