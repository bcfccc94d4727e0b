// SPDX-License-Identifier: Apache-2.0
import TernRetry
import Testing

@Suite("Backoff")
struct BackoffTests {
    @Test(
        "the longest delay doubles up to the limit",
        arguments: [(1, 500), (2, 1000), (3, 2000), (6, 16_000), (7, 20_000), (60, 20_000), (Int.max, 20_000)]
    )
    func bound(_ retry: Int, _ milliseconds: Int) {
        var generator = SystemRandomNumberGenerator()
        #expect(Backoff(jitter: .none).delay(before: retry, using: &generator) == .milliseconds(milliseconds))
        #expect(Backoff().delay(before: retry, using: &generator) <= .milliseconds(milliseconds))
    }

    @Test func `full jitter reaches from nothing to the bound`() {
        var generator = SystemRandomNumberGenerator()
        let delays = (0..<1000).map { _ in Backoff().delay(before: 3, using: &generator) }
        #expect(delays.allSatisfy { $0 >= .zero && $0 <= .seconds(2) })
        #expect(delays.contains { $0 < .milliseconds(500) } && delays.contains { $0 > .milliseconds(1500) })
    }

    @Test(
        "invalid settings give a valid delay",
        arguments: [
            (Backoff(initialDelay: .seconds(-1)), 0), (Backoff(maximumDelay: .zero), 0), (Backoff(factor: 0), 500),
            (Backoff(factor: .nan), 500), (Backoff(factor: .infinity), 500), (Backoff(initialDelay: .zero), 0),
            (Backoff(initialDelay: .seconds(90)), 20_000), (Backoff(factor: 1e300), 20_000),
        ]
    )
    func senseless(_ backoff: Backoff, _ milliseconds: Int) {
        var backoff = backoff
        backoff.jitter = .none
        var generator = SystemRandomNumberGenerator()
        #expect(backoff.delay(before: 4, using: &generator) == .milliseconds(milliseconds))
    }
}
