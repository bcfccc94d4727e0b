// SPDX-License-Identifier: Apache-2.0
import TernCLibrary

enum System {
    static let standardInput: CInt = 0
    static let standardOutput: CInt = 1
    static let standardError: CInt = 2

    static let interrupt = SIGINT
    static let terminate = SIGTERM
    static let hangUp = SIGHUP

    /// Read this before the program changes how it handles SIGHUP; the first read determines the value.
    static let outlivesTerminal: Bool = {
        let before = signal(SIGHUP, SIG_IGN)
        _ = signal(SIGHUP, before)
        return unsafeBitCast(before, to: Int.self) == unsafeBitCast(SIG_IGN, to: Int.self)
    }()

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

    static func isSameFile(_ one: CInt, _ other: CInt) -> Bool {
        var (first, second) = (stat(), stat())
        guard fstat(one, &first) == 0, fstat(other, &second) == 0 else { return false }
        return first.st_dev == second.st_dev && first.st_ino == second.st_ino
    }

    /// Returns whether the reader of a pipe or a socket is gone.
    static func hasNoReader(_ descriptor: CInt) -> Bool {
        var state = pollfd(fd: descriptor, events: 0, revents: 0)
        return poll(&state, 1, 0) == 1 && state.revents & Int16(POLLERR) != 0
    }

    /// Returns 80 if the width is unknown.
    static func columns(of descriptor: CInt) -> Int { self.size(of: descriptor).columns }

    static func size(of descriptor: CInt) -> (columns: Int, rows: Int) {
        var size = winsize()
        guard ioctl(descriptor, UInt(TIOCGWINSZ), &size) == 0 else { return (80, 24) }
        return (size.ws_col > 0 ? Int(size.ws_col) : 80, size.ws_row > 0 ? Int(size.ws_row) : 24)
    }

    static func write(_ bytes: UnsafeRawBufferPointer, to descriptor: CInt) throws(OutputFailure) {
        var rest = bytes
        while let address = rest.baseAddress, !rest.isEmpty {
            let count = platformWrite(descriptor, address, rest.count)
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { throw errno == EPIPE ? .closed : .system(errno: errno) }
            rest = UnsafeRawBufferPointer(rebasing: rest[count...])
        }
    }

    static func tell(_ text: String) { Self.show(text, on: Self.standardError) }

    /// Waits for input; an empty result means its end.
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

    static func ignore(_ number: CInt) { _ = signal(number, SIG_IGN) }

    /// Makes a write to a pipe without a reader fail instead of ending the process.
    static func ignoreBrokenPipes() { Self.ignore(SIGPIPE) }

    static func text(ofError errno: CInt) -> String { strerror(errno).map { String(cString: $0) } ?? "error \(errno)" }

    static func isRegularFile(atPath path: String) -> Bool? {
        var status = stat()
        guard stat(path, &status) == 0 else { return nil }
        return status.st_mode & S_IFMT == S_IFREG
    }

    enum WritingMode: Sendable {
        case replace
        case append
        /// An existing file stays unchanged, and opening it fails.
        case create
    }

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

    static func byteCount(ofFile path: String) -> Int64? {
        var status = stat()
        return stat(path, &status) == 0 ? Int64(status.st_size) : nil
    }

    /// Changes only a file without a second name that this user owns, and follows no links: others may have replaced it.
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
