// SPDX-License-Identifier: Apache-2.0
import NIOCore
public import TernFoundation

extension Connection {
    /// Waits for bytes, and returns the bytes that have arrived.
    ///
    /// - Parameter deadline: The deadline for waiting. Defaults to `nil`, which waits while the connection is open.
    /// - Returns: The next bytes, never empty; `nil` once the peer has ended its side normally.
    /// - Throws: ``ConnectionError``, like ``read(atLeast:deadline:)``.
    public func read(deadline: CallDeadline? = nil) async throws(ConnectionError) -> Data? {
        guard let bytes = try await self.read(atLeast: 1, deadline: deadline) else { return nil }
        return bytes.withUnsafeReadableBytes { Data($0) }
    }

    /// Sends bytes, and waits until there is room for more.
    ///
    /// - Parameters:
    ///   - data: The bytes to send.
    ///   - deadline: The deadline for waiting. Defaults to `nil`, which waits while the connection is open.
    /// - Throws: ``ConnectionError``. After an error, the connection can send nothing more.
    public func write(_ data: Data, deadline: CallDeadline? = nil) async throws(ConnectionError) {
        try await self.write(ByteBuffer(bytes: data), deadline: deadline)
    }
}
