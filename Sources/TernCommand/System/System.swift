// SPDX-License-Identifier: Apache-2.0
import TernCLibrary

/// The few system calls that `tern-cli` needs.
enum System {
    static let standardInput: CInt = 0
    static let standardOutput: CInt = 1
    static let standardError: CInt = 2

    static let interrupt = SIGINT
    static let terminate = SIGTERM
    static let hangUp = SIGHUP

    /// Whether the process was started to outlive its terminal, as with `nohup`.
    ///
    /// Read this property before the program changes how it handles SIGHUP; the first read determines the value.
    static let outlivesTerminal: Bool = {
        let before = signal(SIGHUP, SIG_IGN)
        _ = signal(SIGHUP, before)
        return unsafeBitCast(before, to: Int.self) == unsafeBitCast(SIG_IGN, to: Int.self)
    }()

    /// Returns whether a descriptor is a terminal.
    static func isTerminal(_ descriptor: CInt) -> Bool { isatty(descriptor) == 1 }

    /// Returns whether a descriptor is a regular file or `/dev/null`, so that a write waits for no reader.
    static func isFile(_ descriptor: CInt) -> Bool {
        var (status, null) = (stat(), stat())
        guard fstat(descriptor, &status) == 0 else { return false }
        switch status.st_mode & S_IFMT {
        case S_IFREG: return true
        case S_IFCHR: return stat("/dev/null", &null) == 0 && status.st_rdev == null.st_rdev
        default: return false
        }
    }

    /// Returns whether two descriptors are of the same file or terminal.
    static func isSameFile(_ one: CInt, _ other: CInt) -> Bool {
        var (first, second) = (stat(), stat())
        guard fstat(one, &first) == 0, fstat(other, &second) == 0 else { return false }
        return first.st_dev == second.st_dev && first.st_ino == second.st_ino
    }

    /// Returns whether a descriptor is a pipe or a socket whose reader is gone, so that nothing can be written.
    static func hasNoReader(_ descriptor: CInt) -> Bool {
        var state = pollfd(fd: descriptor, events: 0, revents: 0)
        return poll(&state, 1, 0) == 1 && state.revents & Int16(POLLERR) != 0
    }

    /// Returns the width of a terminal, in columns; 80 if unknown.
    static func columns(of descriptor: CInt) -> Int { self.size(of: descriptor).columns }

    /// Returns the size of a terminal; 80 columns and 24 rows if unknown.
    static func size(of descriptor: CInt) -> (columns: Int, rows: Int) {
        var size = winsize()
        guard ioctl(descriptor, UInt(TIOCGWINSZ), &size) == 0 else { return (80, 24) }
        return (size.ws_col > 0 ? Int(size.ws_col) : 80, size.ws_row > 0 ? Int(size.ws_row) : 24)
    }

    /// Writes all bytes, and waits as long as necessary.
    ///
    /// - Throws: `OutputFailure.closed` when the reader is gone, or `.system` for another failure.
    static func write(_ bytes: UnsafeRawBufferPointer, to descriptor: CInt) throws(OutputFailure) {
        var rest = bytes
        while let address = rest.baseAddress, !rest.isEmpty {
            let count = platformWrite(descriptor, address, rest.count)
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { throw errno == EPIPE ? .closed : .system(errno: errno) }
            rest = UnsafeRawBufferPointer(rebasing: rest[count...])
        }
    }

    /// Writes a message to standard error; ignores failures.
    static func tell(_ text: String) { Self.show(text, on: Self.standardError) }

    /// Waits for input and reads it.
    ///
    /// An empty result means the end of the input.
    static func read(from descriptor: CInt, upTo byteCount: Int) throws(InputFailure) -> [UInt8] {
        var result = 0
        let bytes = [UInt8](unsafeUninitializedCapacity: byteCount) { buffer, count in
            repeat {
                result = platformRead(descriptor, buffer.baseAddress, byteCount)
            } while result < 0 && errno == EINTR
            count = max(0, result)
        }
        guard result >= 0 else { throw InputFailure(errno: errno) }
        return bytes
    }

    /// Ignores a signal.
    static func ignore(_ number: CInt) { _ = signal(number, SIG_IGN) }

    /// Makes a write to a pipe without a reader fail instead of ending the process.
    static func ignoreBrokenPipes() { Self.ignore(SIGPIPE) }

    static func text(ofError errno: CInt) -> String { strerror(errno).map { String(cString: $0) } ?? "error \(errno)" }

    /// Returns whether the file at a path is a regular file; `nil` if there is no file.
    static func isRegularFile(atPath path: String) -> Bool? {
        var status = stat()
        guard stat(path, &status) == 0 else { return nil }
        return status.st_mode & S_IFMT == S_IFREG
    }

    /// The handling of an existing file that is opened for writing.
    enum WritingMode: Sendable {
        /// The file is emptied.
        case replace
        /// The new bytes are appended to the file.
        case append
        /// The file stays unchanged, and opening it fails.
        case create
    }

    /// Opens a file for writing, with the permissions that the process's umask allows.
    ///
    /// - Throws: `OutputFailure.system` if the file cannot be opened.
    static func openFile(atPath path: String, _ mode: WritingMode) throws(OutputFailure) -> CInt {
        let flag =
            switch mode {
            case .replace: O_TRUNC
            case .append: O_APPEND
            case .create: O_EXCL
            }
        let descriptor = open(path, O_WRONLY | O_CREAT | O_CLOEXEC | flag, 0o666)
        guard descriptor >= 0 else { throw .system(errno: errno) }
        return descriptor
    }

    /// Returns the length of a file, in bytes; `nil` if it does not exist.
    static func byteCount(ofFile path: String) -> Int64? {
        var status = stat()
        return stat(path, &status) == 0 ? Int64(status.st_size) : nil
    }

    /// Gives a file the permissions that the process's umask allows, like any new file.
    ///
    /// In a folder that users share, another user may have replaced the file. So this changes only a file that this
    /// user owns and that has no second name (hard link), and it follows no symbolic links.
    static func applyDefaultPermissions(toFile path: String) {
        let descriptor = open(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC)
        guard descriptor >= 0 else { return }
        defer { Self.close(descriptor) }
        var status = stat()
        guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG, status.st_uid == geteuid(),
            status.st_nlink == 1
        else { return }
        let mask = umask(0)
        umask(mask)
        fchmod(descriptor, 0o666 & ~mask)
    }

    /// Restores the terminal, and ends the process at once, without any other clean-up.
    static func exitNow(_ code: CInt) -> Never {
        Self.endTyping()
        _exit(code)
    }
}

/// A failure to read standard input.
struct InputFailure: Error, CustomStringConvertible {
    let errno: CInt

    var description: String { "standard input cannot be read: \(System.text(ofError: self.errno))" }
}

private func platformWrite(_ descriptor: CInt, _ bytes: UnsafeRawPointer, _ count: Int) -> Int {
    write(descriptor, bytes, count)
}

private func platformRead(_ descriptor: CInt, _ bytes: UnsafeMutableRawPointer?, _ count: Int) -> Int {
    read(descriptor, bytes, count)
}
