// SPDX-License-Identifier: Apache-2.0
import Synchronization

/// Counts the outcomes of calls, and records how much memory the process uses during the run.
final class Tally: Sendable {
    private struct Counts {
        var outcomes: [String: [SoakOutcome: Int]] = [:]
        var wrong: [String: Int] = [:]
        var marks: [(text: String, byteCount: Int)] = []
        var notes: [String] = []
    }

    private let counts = Mutex(Counts())
    private let numberCount = Atomic(0)

    /// The number of the next call, from 0.
    func nextNumber() -> Int { self.numberCount.add(1, ordering: .relaxed).oldValue }

    func add(_ call: SoakCall, _ outcome: SoakOutcome) {
        self.counts.withLock { counts in
            counts.outcomes[call.name, default: [:]][outcome, default: 0] += 1
            if !call.allows(outcome) { counts.wrong["\(call.name) gave \(outcome.rawValue)", default: 0] += 1 }
        }
    }

    func mark(_ text: String) {
        let now = Measurement.now
        self.counts.withLock { $0.marks.append(("\(now.megabytes) at \(text)", now.residentByteCount)) }
    }

    func note(_ text: String) { self.counts.withLock { $0.notes.append(text) } }

    /// The number of calls with each outcome, with one line for each kind of call.
    var table: String {
        self.counts.withLock { counts in
            let lines = counts.outcomes.sorted { $0.key < $1.key }.map { name, outcomes in
                let parts = outcomes.map { "\($0.value) \($0.key.rawValue)" }.sorted()
                return "  \(name): \(parts.joined(separator: ", "))"
            }
            return (lines + counts.notes).joined(separator: "\n")
        }
    }

    var marks: [String] { self.counts.withLock { $0.marks.map(\.text) } }

    /// The growth of memory between the last two marks, in bytes.
    var growth: Int {
        self.counts.withLock { counts in
            guard let last = counts.marks.last, let middle = counts.marks.dropLast().last else { return 0 }
            return last.byteCount - middle.byteCount
        }
    }

    /// Messages about outcomes that a kind of call does not allow.
    var problems: [String] {
        self.counts.withLock { $0.wrong.sorted { $0.key < $1.key }.map { "\($0.key), \($0.value) times" } }
    }
}
