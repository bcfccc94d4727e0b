// SPDX-License-Identifier: Apache-2.0
// Compiled and run on Linux with glibc; never compiled with musl.

#if os(Linux)
import NIOCore
import Synchronization
import TernCLibrary
import TernErrors
import TernFiles

/// A connected socket, whose owner must close it.
struct ConnectedSocket: Sendable {
    let descriptor: CInt
    let remoteAddress: SocketAddress

    /// The address of this side; `nil` for a Unix domain socket, or if the system does not report it.
    var localAddress: SocketAddress? {
        var storage = sockaddr_storage()
        var length = socklen_t(MemoryLayout<sockaddr_storage>.size)
        return withUnsafeMutablePointer(to: &storage) { storage in
            let raw = UnsafeMutableRawPointer(storage)
            guard getsockname(self.descriptor, raw.assumingMemoryBound(to: sockaddr.self), &length) == 0 else {
                return nil
            }
            switch CInt(storage.pointee.ss_family) {
            case AF_INET: return SocketAddress(raw.load(as: sockaddr_in.self))
            case AF_INET6: return SocketAddress(raw.load(as: sockaddr_in6.self))
            default: return nil
            }
        }
    }

    func close() { SystemSocket.close(self.descriptor) }
}

/// System calls that a method of the same name would hide.
enum SystemSocket {
    /// Linux defines `SOCK_NONBLOCK` and `SOCK_CLOEXEC` as these two flags of `open`.
    private static let kind = CLibrary.streamSocket | O_NONBLOCK | O_CLOEXEC

    static func close(_ socket: CInt) { _ = TernCLibrary.close(socket) }
    static func connect(_ socket: CInt, _ address: UnsafePointer<sockaddr>, _ length: Int) -> CInt {
        TernCLibrary.connect(socket, address, socklen_t(length))
    }
    static func send(_ socket: CInt, _ bytes: UnsafeRawBufferPointer) -> Int {
        TernCLibrary.send(socket, bytes.baseAddress, bytes.count, CInt(MSG_NOSIGNAL))
    }

    /// Creates a socket; negative if the system allows none, or if only the descriptors of the reserve are free.
    static func open(for address: SocketAddress) -> CInt {
        DescriptorReserve.open {
            switch address {
            case .v4: socket(AF_INET, self.kind, 0)
            case .v6: socket(AF_INET6, self.kind, 0)
            case .unixDomainSocket: socket(AF_UNIX, self.kind, 0)
            }
        }
    }
}

final class SocketAttempt: Readiness.Receiver {
    enum Outcome: Sendable {
        /// The code that gets the outcome owns the socket.
        case connected(CInt)
        /// No socket is open.
        case failed(ConnectionFailure)
    }

    private enum State {
        /// Until ``begin()`` or ``abandon()``.
        case new
        /// Until the system reports the result, or ``abandon()``.
        case connecting(CInt, number: Int)
        /// Final.
        case over
    }

    private let address: SocketAddress
    private let readiness: Readiness
    private let onEnd: @Sendable (Outcome) -> Void
    private let state = Mutex(State.new)

    /// Creates an attempt; `onEnd` is not called if ``abandon()`` has returned `true`.
    init(
        to address: SocketAddress,
        on readiness: Readiness,
        onEnd: @escaping @Sendable (Outcome) -> Void
    ) {
        self.address = address
        self.readiness = readiness
        self.onEnd = onEnd
    }

    var addressText: String { self.address.text ?? "\(self.address)" }

    /// Begins to connect; returns the outcome, if the system knows it at once, and then does not call `onEnd`.
    func begin() -> Outcome? {
        self.state.withLock { state in
            guard case .new = state else { return nil }
            let (next, outcome) = self.connect()
            state = next
            return outcome
        }
    }

    private func connect() -> (State, Outcome?) {
        let socket = SystemSocket.open(for: self.address)
        guard socket >= 0 else { return (.over, .failed(ConnectionFailure(errno: errno))) }
        if self.address.protocol != .unix {
            // The client writes whole messages, which need not wait for more bytes.
            var isOn: CInt = 1
            setsockopt(socket, CInt(IPPROTO_TCP), TCP_NODELAY, &isOn, socklen_t(MemoryLayout<CInt>.size))
        }
        let failure = self.address.withSockAddr { SystemSocket.connect(socket, $0, $1) == 0 ? 0 : errno }
        if failure == 0 { return (.over, .connected(socket)) }
        if failure == EINPROGRESS, let number = self.readiness.add(socket, [.writable], for: self) {
            return (.connecting(socket, number: number), nil)
        }
        let code = failure == EINPROGRESS ? errno : failure
        SystemSocket.close(socket)
        return (.over, .failed(ConnectionFailure(errno: code)))
    }

    func becameReady(for interest: Readiness.Interest) {
        let socket = self.end()
        guard let socket else { return }
        var code: CInt = 0
        var length = socklen_t(MemoryLayout<CInt>.size)
        if getsockopt(socket, SOL_SOCKET, SO_ERROR, &code, &length) != 0 { code = errno }
        if code == 0 {
            self.onEnd(.connected(socket))
        } else {
            SystemSocket.close(socket)
            self.onEnd(.failed(ConnectionFailure(errno: code)))
        }
    }

    /// Ends the attempt without a result; returns `false` if it had not begun, or had already ended.
    func abandon() -> Bool {
        if let socket = self.end() {
            SystemSocket.close(socket)
            return true
        }
        return false
    }

    private func end() -> CInt? {
        self.state.withLock { state in
            defer { state = .over }
            guard case .connecting(let socket, let number) = state else { return nil }
            self.readiness.remove(socket, number: number)
            return socket
        }
    }
}
#endif
