// SPDX-License-Identifier: Apache-2.0
import ClientTestSupport
import Tern
import TernTesting
import TernURLLoading
import TernURLSession

extension Client {
    /// Returns a client whose requests go through `URLSession`.
    ///
    /// - Parameters:
    ///   - maximumUnreadByteCount: The limit of the transport for responses. Defaults to the transport's default.
    ///   - maximumStreamByteCount: The limit of the transport for streams. Defaults to the transport's default.
    ///   - change: Changes the configuration, which has time limits that no test reaches.
    /// - Returns: The client.
    static func overURLSession(
        maximumUnreadByteCount: Int = 64 << 20,
        maximumStreamByteCount: Int = 64 << 20,
        _ change: (inout Client.Configuration) -> Void = { _ in }
    ) -> Client {
        var configuration = Client.Configuration.patient
        change(&configuration)
        let transport = URLSessionTransport(
            .ephemeral,
            maximumUnreadByteCount: maximumUnreadByteCount,
            maximumStreamByteCount: maximumStreamByteCount
        )
        return Client(configuration: configuration, transport: transport)
    }
}

extension RecordingDelegate {
    /// The reported progress of the request body, oldest first.
    var sentProgress: [TransferProgress] {
        self.events.compactMap { if case .sent(let progress) = $0 { progress } else { nil } }
    }
    /// The reported progress of the response body, oldest first.
    var receivedProgress: [TransferProgress] {
        self.events.compactMap { if case .received(let progress) = $0 { progress } else { nil } }
    }
}

/// The pieces of a body, of which a test sends one after the other.
struct Counted: AsyncSequence, Sendable {
    let count: Int
    let byteCount: Int

    struct Iterator: AsyncIteratorProtocol {
        var rest: Int
        let byteCount: Int

        mutating func next(isolation actor: isolated (any Actor)?) async throws(Never) -> Data? {
            guard self.rest > 0 else { return nil }
            self.rest -= 1
            return Data(repeating: UInt8(ascii: "x"), count: self.byteCount)
        }

        mutating func next() async throws(Never) -> Data? { await self.next(isolation: nil) }
    }

    func makeAsyncIterator() -> Iterator { Iterator(rest: self.count, byteCount: self.byteCount) }
}
