// SPDX-License-Identifier: Apache-2.0
public import TernTransport

/// How the time of one call was spent.
public struct TaskMetrics: Sendable {
    /// What happened in one exchange of a request and a response; a call has several after challenges and redirects.
    public struct Exchange: Sendable {
        /// The steps, in their order, each with the time from the start of the call.
        public internal(set) var milestones: [(milestone: ExchangeMilestone, elapsed: Duration)] = []

        /// The status of the response, if one came.
        public var statusCode: Int? {
            for case (.answered(let code), _) in self.milestones { return code }
            return nil
        }

        /// Whether the connection had served a request before; `nil` if there was none.
        public var isConnectionReused: Bool? {
            for case (.begun(let isReused), _) in self.milestones { return isReused }
            return nil
        }

        /// How long it took to make a connection, TLS and the proxy's tunnel included; `nil` if one was reused.
        public var connecting: Duration? {
            guard let start = self.elapsed({ $0 == .connecting }) else { return nil }
            return self.elapsed({ if case .begun = $0 { true } else { false } }).map { $0 - start }
        }

        /// How long it took from having a connection to the head of the response; `nil` if none came.
        public var answering: Duration? {
            guard let start = self.elapsed({ if case .begun = $0 { true } else { false } }) else { return nil }
            return self.elapsed({ if case .answered = $0 { true } else { false } }).map { $0 - start }
        }

        private func elapsed(_ isWanted: (ExchangeMilestone) -> Bool) -> Duration? {
            self.milestones.first { isWanted($0.milestone) }?.elapsed
        }
    }

    /// The exchanges, oldest first; at most 64, then the oldest are forgotten.
    public internal(set) var exchanges: [Exchange] = []
    /// How long the call took, to the end of the body.
    public internal(set) var duration: Duration = .zero
    /// How many redirects were followed.
    public internal(set) var redirectCount = 0

    private static let maximumExchangeCount = 64
    private static let maximumMilestoneCount = 32

    /// An exchange begins.
    mutating func beginExchange() {
        if self.exchanges.count == Self.maximumExchangeCount { self.exchanges.removeFirst() }
        self.exchanges.append(Exchange())
    }

    /// The exchange has come to a step.
    mutating func reach(_ milestone: ExchangeMilestone, after elapsed: Duration) {
        if self.exchanges.isEmpty { self.beginExchange() }
        let last = self.exchanges.count - 1
        guard self.exchanges[last].milestones.count < Self.maximumMilestoneCount else { return }
        self.exchanges[last].milestones.append((milestone, elapsed))
    }
}
