// SPDX-License-Identifier: Apache-2.0
import NIOCore
import TernFoundation

extension ByteBuffer {
    /// Creates a buffer with a copy of `data`, because NIO sends only its own buffers.
    init(copying data: Data) {
        self.init()
        self.append(data)
    }

    mutating func append(_ data: Data) { _ = data.withUnsafeBytes { self.writeBytes($0) } }
}
