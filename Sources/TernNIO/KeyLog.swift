// SPDX-License-Identifier: Apache-2.0
import Dispatch
import NIOCore
import TernCLibrary
import TernErrors
import TernFiles

/// A file, in the format of Wireshark and `SSLKEYLOGFILE`, to which the client appends the TLS secrets of its connections.
///
/// Anyone who can read the file can decrypt the connections, so the client makes it private, and rejects a file of another user.
final class KeyLog: Sendable {
    private let descriptor: CInt
    private let queue = DispatchQueue(label: "tern.key-log")

    init(path: String) throws(TLSFailure) {
        do throws(FileFailure) {
            self.descriptor = try Self.open(path)
        } catch {
            throw .configuration("the key log cannot be written: \(error)")
        }
    }

    deinit { close(self.descriptor) }

    private static func open(_ path: String) throws(FileFailure) -> CInt {
        let place = try FilePath(followingOwnLinks: path)
        // Without `O_NONBLOCK`, opening a pipe would wait for its reader.
        let flags = O_WRONLY | O_CREAT | O_APPEND | O_NONBLOCK
        let descriptor = try OpenFolder(path: place.folder).open(place.name, flags)
        do throws(FileFailure) {
            let status = try FileStatus(descriptor: descriptor)
            guard status.kind == .regular else { throw .notAFile }
            // Another user may have created this second name (a hard link) for a file that is not meant for secrets.
            guard status.isOwn, status.nameCount == 1 else { throw .notPermitted }
            guard status.permissions & 0o077 == 0 || fchmod(descriptor, 0o600) == 0 else { throw .notPermitted }
            return descriptor
        } catch {
            close(descriptor)
            throw error
        }
    }

    /// Appends a line in a single write on a queue, so that lines of several processes do not mix.
    func append(_ line: ByteBuffer) {
        self.queue.async {
            var line = line
            if line.readableBytesView.last != UInt8(ascii: "\n") { line.writeString("\n") }
            // A failure to write the log is not a reason to end a connection.
            _ = line.withUnsafeReadableBytes { write(self.descriptor, $0.baseAddress, $0.count) }
        }
    }
}
