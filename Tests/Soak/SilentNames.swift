// SPDX-License-Identifier: Apache-2.0
import Foundation
import Synchronization
import Tern

/// Calls servers whose names are answered, while calls to names without an answer begin again and again.
///
/// `Benchmarks/scripts/soak --silent-names` runs this with a name server that does not answer names which contain "silent", and gives the
/// address of this machine for all others.
struct SilentNames: Sendable {
    /// The number of calls to silent names that begin in each second.
    private static let silentRate = 4
    /// The number of calls to other names that begin in each second.
    ///
    /// Each has a name of its own.
    private static let answeredRate = 10

    private struct Counts {
        var successes = 0
        var silent = 0
        var failures: [String: Int] = [:]
    }

    private let counts = Counter()

    private final class Counter: Sendable {
        private let counts = Mutex(Counts())

        var found: Counts { self.counts.withLock { $0 } }

        func add(_ change: (inout Counts) -> Void) { self.counts.withLock { change(&$0) } }
    }

    private let port: Int
    private let duration: Duration

    init(port: Int, duration: Duration) {
        self.port = port
        self.duration = duration
    }

    /// - Returns: Messages about problems; empty if there are no problems.
    func perform() async throws -> [String] {
        let client = Client()
        let end = ContinuousClock.now + self.duration
        await withTaskGroup(of: Void.self) { group in
            // The names of one server, and the names of many.
            group.addTask {
                await Self.each(.seconds(1) / Self.silentRate, until: end) { number in
                    let domain = number.isMultiple(of: 2) ? "silent.test" : "silent\(number).test"
                    let call = Task { _ = try await client.data(for: self.request("name\(number).\(domain)")) }
                    self.counts.add { $0.silent += 1 }
                    try? await Task.sleep(for: .seconds(20))
                    call.cancel()
                }
            }
            group.addTask {
                await Self.each(.seconds(1) / Self.answeredRate, until: end) { number in
                    do throws(ClientError) {
                        let (data, _) = try await client.data(for: self.request("name\(number).site\(number).test"))
                        self.counts.add { $0.successes += data.count == 10 ? 1 : 0 }
                    } catch {
                        self.counts.add { $0.failures["\(error)", default: 0] += 1 }
                    }
                }
            }
        }
        let found = self.counts.found
        print("\(found.silent) calls to silent names; \(found.successes) calls to other names succeeded")
        var problems = found.failures.map { "\($0.value) calls to other names failed: \($0.key)" }
        if found.successes == 0 { problems.append("no call to another name succeeded") }
        return problems.sorted()
    }

    private func request(_ host: String) -> Request { Request(.get, "http://\(host):\(self.port)/ok/10") }

    /// Begins a task with the next number, from 1, in each interval, and waits for all of them.
    private static func each(
        _ interval: Duration,
        until end: ContinuousClock.Instant,
        _ body: @escaping @Sendable (Int) async -> Void
    ) async {
        await withDiscardingTaskGroup { group in
            var number = 1
            while ContinuousClock.now < end {
                group.addTask { [number] in await body(number) }
                number += 1
                try? await Task.sleep(for: interval)
            }
        }
    }
}
