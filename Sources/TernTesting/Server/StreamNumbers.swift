// SPDX-License-Identifier: Apache-2.0
import Synchronization

/// The numbers of the streams whose requests a connection to a scripted server carries, in the order of the requests.
final class StreamNumbers: Sendable {
    private let waiting = Mutex<[Int]>([])

    func append(_ stream: Int) { self.waiting.withLock { $0.append(stream) } }

    func next() -> Int? { self.waiting.withLock { $0.isEmpty ? nil : $0.removeFirst() } }
}
