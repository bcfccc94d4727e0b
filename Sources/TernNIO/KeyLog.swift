// SPDX-License-Identifier: Apache-2.0
import Dispatch
import NIOCore
import TernErrors

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// A file to which the secrets of connections are appended, a line each, as Wireshark and curl's `SSLKEYLOGFILE` have it.
final class KeyLog: Sendable {
    private let descriptor: CInt
    private let queue = DispatchQueue(label: "tern.key-log")

    init(path: String) throws(TLSFailure) {
        let descriptor = open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw .configuration("the key log cannot be opened (system error \(errno))") }
        self.descriptor = descriptor
    }

    deinit { close(self.descriptor) }

    /// Adds a line, in a single write, so that lines of several processes do not mix; never waits.
    func append(_ line: ByteBuffer) {
        self.queue.async {
            var line = line
            if line.readableBytesView.last != UInt8(ascii: "\n") { line.writeString("\n") }
            // A log that cannot be written is no reason to end a connection.
            _ = line.withUnsafeReadableBytes { write(self.descriptor, $0.baseAddress, $0.count) }
        }
    }
}
