// SPDX-License-Identifier: Apache-2.0
import Synchronization

/// The numbers of the streams whose requests a connection to a scripted server carries, in the order of the requests.
final class StreamNumbers: Sendable {
    private let waiting = Mutex<[Int]>([])

    /// Notes the stream of the request that is sent next.
    func append(_ stream: Int) { self.waiting.withLock { $0.append(stream) } }

    /// Returns the stream of the request that was read; `nil` if there is none.
    func next() -> Int? { self.waiting.withLock { $0.isEmpty ? nil : $0.removeFirst() } }
}
