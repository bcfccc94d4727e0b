// SPDX-License-Identifier: Apache-2.0
#if canImport(Darwin)
/// Changes a value in two tasks at the same time.
enum SharedData {
    final class Counter {
        var count = 0
    }

    static func share() -> Counter {
        let counter = Counter()
        Task.detached { counter.count += 1 }  // error: risks causing data races
        return counter
    }
}
#endif
