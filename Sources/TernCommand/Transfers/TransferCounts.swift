// SPDX-License-Identifier: Apache-2.0

struct TransferCounts: Equatable, Sendable {
    private var counts: [TransferRow.State: Int] = [:]

    init(_ rows: some Sequence<TransferRow>) {
        for row in rows { self.counts[row.state, default: 0] += 1 }
    }

    subscript(state: TransferRow.State) -> Int { self.counts[state] ?? 0 }

    /// `3 running, 12 waiting, 30 completed`, without states in which there is no transfer.
    var text: String {
        let parts = TransferRow.State.allCases.filter { self[$0] > 0 }.map { "\(self[$0]) \($0.rawValue)" }
        return parts.isEmpty ? "no transfers" : parts.joined(separator: ", ")
    }
}

extension TransferCounts: Encodable {
    private struct Key: CodingKey {
        let stringValue: String
        var intValue: Int? { nil }

        init(stringValue: String) { self.stringValue = stringValue }
        init?(intValue: Int) { nil }
    }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: Key.self)
        for state in TransferRow.State.allCases {
            try container.encode(self[state], forKey: Key(stringValue: state.rawValue))
        }
    }
}
