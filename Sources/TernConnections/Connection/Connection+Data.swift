// SPDX-License-Identifier: Apache-2.0
import NIOCore
public import TernFoundation

extension Connection {
    /// Reads the next bytes as `Data`, like ``read(atLeast:deadline:)`` with a minimum of 1.
    public func read(deadline: CallDeadline? = nil) async throws(ConnectionError) -> Data? {
        guard let bytes = try await self.read(atLeast: 1, deadline: deadline) else { return nil }
        return bytes.withUnsafeReadableBytes { Data($0) }
    }

    /// Queues `Data` to send, and waits until there is room for more.
    public func write(_ data: Data, deadline: CallDeadline? = nil) async throws(ConnectionError) {
        try await self.write(ByteBuffer(bytes: data), deadline: deadline)
    }
}
