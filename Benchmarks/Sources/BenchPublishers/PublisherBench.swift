// SPDX-License-Identifier: Apache-2.0
internal import TernPublishers

/// Measures loops over publishers in values per second, to compare Tern's `asyncStream` with the framework's `values`.
///
/// Prints a Markdown table. The argument is the number of values that each loop takes. Defaults to 1,000,000.
@main struct PublisherBench {
    /// A way to loop over a publisher.
    private struct Way: Sendable {
        var name: String
        var loop: @Sendable (Int) async throws -> Int
    }

    private static let roundCount = 5

    static func main() async throws {
        let count = CommandLine.arguments.dropFirst().first.flatMap { Int($0) } ?? 1_000_000
        print("| publisher | loop | values/s | ÷ `values` |")
        print("| --- | --- | ---: | ---: |")
        try await Self.compare("one that answers at once", count, Self.immediate)
        try await Self.compare("one with a failure type, that answers at once", count, Self.failing)
        try await Self.compare("one that answers from another task", count / 10, Self.distant)
    }

    private static let immediate = [
        Way(name: "`values`") { count in
            var sum = 0
            for await value in (0..<count).publisher.values { sum &+= value }
            return sum
        },
        Way(name: "`asyncStream()`") { count in
            var sum = 0
            for await value in (0..<count).publisher.asyncStream() { sum &+= value }
            return sum
        },
        Way(name: "`asyncStream(bufferingPolicy: .prefetching(64))`") { count in
            var sum = 0
            for await value in (0..<count).publisher.asyncStream(bufferingPolicy: .prefetching(64)) { sum &+= value }
            return sum
        },
    ]

    private static let failing = [
        Way(name: "`values`") { count in
            var sum = 0
            for try await value in (0..<count).publisher.setFailureType(to: CancellationError.self).values {
                sum &+= value
            }
            return sum
        },
        Way(name: "`asyncStream()`") { count in
            var sum = 0
            let publisher = (0..<count).publisher.setFailureType(to: CancellationError.self)
            for try await value in publisher.asyncStream() { sum &+= value }
            return sum
        },
    ]

    private static let distant = [
        Way(name: "`values`") { count in
            var sum = 0
            for await value in Counting(count: count).publisher.values { sum &+= value }
            return sum
        },
        Way(name: "`asyncStream()`") { count in
            var sum = 0
            for await value in Counting(count: count).publisher.asyncStream() { sum &+= value }
            return sum
        },
        Way(name: "`asyncStream(bufferingPolicy: .prefetching(64))`") { count in
            var sum = 0
            for await value in Counting(count: count).publisher.asyncStream(bufferingPolicy: .prefetching(64)) {
                sum &+= value
            }
            return sum
        },
    ]

    /// Runs each way in turn, several times, and prints the medians.
    private static func compare(_ publisher: String, _ count: Int, _ ways: [Way]) async throws {
        var rates = ways.map { _ in [Double]() }
        for _ in 0..<Self.roundCount {
            for (index, way) in ways.enumerated() {
                let start = ContinuousClock.now
                let sum = try await way.loop(count)
                guard sum == count * (count - 1) / 2 else { fatalError("\(way.name) lost values") }
                rates[index].append(Double(count) / ((ContinuousClock.now - start) / .seconds(1)))
            }
        }
        let medians = rates.map { $0.sorted()[Self.roundCount / 2] }
        for (way, median) in zip(ways, medians) {
            let ratio = (median / medians[0] * 100).rounded() / 100
            print("| \(publisher) | \(way.name) | \(Int(median)) | \(ratio) |")
        }
    }
}

/// A sequence of numbers that never suspends.
private struct Counting: AsyncSequence, Sendable {
    struct Iterator: AsyncIteratorProtocol {
        let count: Int
        var next = 0

        mutating func next(isolation actor: isolated (any Actor)?) async -> Int? {
            guard self.next < self.count else { return nil }
            defer { self.next += 1 }
            return self.next
        }
    }

    let count: Int

    func makeAsyncIterator() -> Iterator { Iterator(count: self.count) }
}
