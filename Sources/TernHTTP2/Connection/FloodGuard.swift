// SPDX-License-Identifier: Apache-2.0

/// The remaining budgets for frames that make work for the client and carry no response; see ``FloodLimits``.
struct FloodGuard: Sendable {
    private let limits: FloodLimits
    private var budgets: [Int]
    private var isFull = true
    private var refilledAt: Duration?

    init(_ limits: FloodLimits) {
        self.limits = limits
        self.budgets = FloodLimits.Kind.allCases.map { limits[$0] }
    }

    mutating func spend(_ kind: FloodLimits.Kind) throws(HTTP2Violation) {
        guard self.budgets[kind.rawValue] > 0 else { throw .flood(kind) }
        self.budgets[kind.rawValue] -= 1
        self.isFull = false
    }

    /// Raises a budget, even above its limit, because the client expects `count` frames of this kind from the server.
    mutating func expect(_ kind: FloodLimits.Kind, _ count: Int) {
        self.budgets[kind.rawValue] = min(self.budgets[kind.rawValue] + count, Self.largestBudget)
    }

    private static let largestBudget = 1 << 20

    /// Allows the server to return its windows in small parts, and to send a PING in each round trip of an upload, as some do.
    mutating func sent(contentOf byteCount: Int) {
        self.expect(.windowUpdate, 2 + byteCount / FloodLimits.byteCountForWindowUpdate)
        if byteCount >= FloodLimits.byteCountOfProgress { self.progressed() }
    }

    /// Raises all budgets by 1, up to their limits, because the server sent a response or content, or received content.
    @inline(__always)
    mutating func progressed() { if !self.isFull { self.refill(1) } }

    /// Raises all budgets, up to their limits, for each second that has passed.
    mutating func advanced(to time: Duration) {
        guard !self.isFull else { return self.refilledAt = nil }
        guard let last = self.refilledAt else { return self.refilledAt = time }
        let seconds = Int((time - last).components.seconds)
        guard seconds > 0 else { return }
        self.refilledAt = last + .seconds(seconds)
        self.refill(min(seconds, 1 << 20) * self.limits.refillPerSecond)
    }

    private mutating func refill(_ count: Int) {
        self.isFull = true
        for kind in FloodLimits.Kind.allCases {
            let (budget, limit) = (self.budgets[kind.rawValue], self.limits[kind])
            if budget < limit { self.budgets[kind.rawValue] = min(budget + count, limit) }
            if self.budgets[kind.rawValue] < limit { self.isFull = false }
        }
    }
}
