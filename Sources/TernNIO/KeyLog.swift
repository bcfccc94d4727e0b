// SPDX-License-Identifier: Apache-2.0
import Dispatch
import NIOCore
import TernCLibrary
import TernErrors
import TernFiles

/// A file to which the client appends the TLS secrets of its connections.
///
/// Each line is one secret, in the format of Wireshark and curl's `SSLKEYLOGFILE`.
///
/// Anyone who reads the file can decrypt the connections, so only its owner may read it. The client rejects a file of
/// another user, and makes an existing file private.
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
        // Opening must not block: without `O_NONBLOCK`, opening a pipe would wait for its reader.
        let flags = O_WRONLY | O_CREAT | O_APPEND | O_NONBLOCK
        let descriptor = try OpenFolder(path: place.folder).open(place.name, flags)
        do throws(FileFailure) {
            let status = try FileStatus(descriptor: descriptor)
            guard status.kind == .regular else { throw .notAFile }
            // Another user may have created a second name (a hard link) here for a file of this user. That file is not
            // meant for secrets.
            guard status.isOwn, status.nameCount == 1 else { throw .notPermitted }
            guard status.permissions & 0o077 == 0 || fchmod(descriptor, 0o600) == 0 else { throw .notPermitted }
            return descriptor
        } catch {
            close(descriptor)
            throw error
        }
    }

    /// Appends a line in a single write, so that lines of several processes do not mix.
    ///
    /// The write happens on a queue, so the caller does not wait.
    func append(_ line: ByteBuffer) {
        self.queue.async {
            var line = line
            if line.readableBytesView.last != UInt8(ascii: "\n") { line.writeString("\n") }
            // A failure to write the log is not a reason to end a connection.
            _ = line.withUnsafeReadableBytes { write(self.descriptor, $0.baseAddress, $0.count) }
        }
    }
}
