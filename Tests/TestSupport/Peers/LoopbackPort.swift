// SPDX-License-Identifier: Apache-2.0
import Synchronization

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// A port of the loopback interface that the system chose, and on which no process listens while this is held.
public final class LoopbackPort: Sendable {
    /// The port could not be had; the number is the system's `errno`.
    public struct Failure: Error {
        /// The number.
        public let errno: CInt
    }

    /// Its number.
    public let number: Int

    private let descriptor: CInt

    /// Takes a port.
    public convenience init() throws(Failure) { try self.init(requesting: 0) }

    /// Takes the port of a number, or one that the system chooses if that is 0.
    private init(requesting number: Int) throws(Failure) {
        let descriptor = Self.makeSocket()
        var address = Self.address(port: number)
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let result = withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
                guard bind(descriptor, address, length) == 0 else { return CInt(-1) }
                return getsockname(descriptor, address, &length)
            }
        }
        guard result == 0 else {
            close(descriptor)
            throw Failure(errno: errno)
        }
        self.descriptor = descriptor
        self.number = Int(UInt16(bigEndian: address.sin_port))
    }

    deinit { close(self.descriptor) }

    /// Ports that are free, for programs that cannot choose for themselves.
    ///
    /// They are none of those that systems choose from, and none is given twice: between this call and the start of the
    /// program a server of another test, or the near end of a connection, would take them otherwise.
    public static func free(_ count: Int) throws -> [Int] {
        var numbers: [Int] = []
        for _ in Self.candidates where numbers.count < count {
            let number =
                Self.candidates.lowerBound + Self.next.add(1, ordering: .relaxed).oldValue % Self.candidates.count
            if let port = try? LoopbackPort(requesting: number) { numbers.append(port.number) }
        }
        guard numbers.count == count else { throw Failure(errno: EADDRINUSE) }
        return numbers
    }

    /// Below what systems choose from, which is from 32768 on Linux, from 49152 elsewhere.
    private static let candidates = 12_000..<32_000

    /// Where to look next; the first place is by chance, because other test runs may be at work.
    private static let next = Atomic(Int.random(in: LoopbackPort.candidates))

    /// Whether a process listens on a port.
    public static func answers(_ port: Int) -> Bool {
        let descriptor = Self.makeSocket()
        defer { close(descriptor) }
        var address = Self.address(port: port)
        return withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
                connect(descriptor, address, socklen_t(MemoryLayout<sockaddr_in>.size)) == 0
            }
        }
    }

    private static func makeSocket() -> CInt {
        #if canImport(Darwin)
        socket(AF_INET, SOCK_STREAM, 0)
        #else
        socket(AF_INET, CInt(SOCK_STREAM.rawValue) | CInt(SOCK_CLOEXEC.rawValue), 0)
        #endif
    }

    private static func address(port: Int) -> sockaddr_in {
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = in_port_t(UInt16(port)).bigEndian
        address.sin_addr.s_addr = in_addr_t(0x7F00_0001).bigEndian
        return address
    }
}
