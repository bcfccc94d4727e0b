// SPDX-License-Identifier: Apache-2.0
import Dispatch
import NIOCore
import TernErrors
import TernFiles

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// A file to which the secrets of connections are appended, a line each, as Wireshark and curl's `SSLKEYLOGFILE` have it.
///
/// A reader of it can read the connections, so it is for its owner alone: a file of another user is refused, and one that
/// was there before is closed to others.
final class KeyLog: Sendable {
    private let descriptor: CInt
    private let queue = DispatchQueue(label: "tern.key-log")

    init(path: String) throws(TLSFailure) {
        do throws(FileFailure) {
            self.descriptor = try Self.open(path)
        } catch {
            throw .configuration("the key log cannot be opened: \(error)")
        }
    }

    deinit { close(self.descriptor) }

    private static func open(_ path: String) throws(FileFailure) -> CInt {
        let place = try FilePath(followingOwnLinks: path)
        // Without waiting: a pipe without a reader would not open.
        let flags = O_WRONLY | O_CREAT | O_APPEND | O_NONBLOCK
        let descriptor = try OpenFolder(path: place.folder).open(place.name, flags)
        do throws(FileFailure) {
            let status = try FileStatus(descriptor: descriptor)
            guard status.kind == .regular else { throw .notAFile }
            // By a second name another user may have put a file of this user's here that is none of secrets.
            guard status.isOwn, status.nameCount == 1 else { throw .notPermitted }
            guard status.permissions & 0o077 == 0 || fchmod(descriptor, 0o600) == 0 else { throw .notPermitted }
            return descriptor
        } catch {
            close(descriptor)
            throw error
        }
    }

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
