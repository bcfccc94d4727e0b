// SPDX-License-Identifier: Apache-2.0

/// The names whose latest look-up was answered, at most ``maximumCount``.
struct AnsweredNames: Sendable {
    /// More than the hosts of most programs.
    static let maximumCount = 1024

    /// The numbers of the names' latest answers; later answers have higher numbers.
    private var numbers: [String: Int] = [:]
    private var lastNumber = 0

    func contains(_ name: String) -> Bool { self.numbers[name] != nil }

    mutating func record(_ name: String, isAnswered: Bool) {
        guard isAnswered else {
            self.numbers[name] = nil
            return
        }
        self.lastNumber += 1
        self.numbers[name] = self.lastNumber
        guard self.numbers.count > Self.maximumCount else { return }
        // Half of them at once, so that a removal seldom looks at all.
        let oldest = self.lastNumber - Self.maximumCount / 2
        self.numbers = self.numbers.filter { $0.value > oldest }
    }
}
