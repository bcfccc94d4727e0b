// SPDX-License-Identifier: Apache-2.0
import Synchronization
import TernCLibrary

/// A port of the loopback interface that the system chose, and that is reserved until the value is deallocated.
public final class LoopbackPort: Sendable {
    public struct Failure: Error {
        public let errno: CInt
    }

    public let number: Int

    private let descriptor: CInt

    public convenience init() throws(Failure) { try self.init(requesting: 0) }

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

    /// Returns ports outside the range from which systems choose, each once, for programs that cannot choose one themselves.
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

    /// Systems choose from higher ports: from 32768 on Linux, and from 49152 elsewhere.
    private static let candidates = 12_000..<32_000

    /// The first position is random, because other test runs may use ports at the same time.
    private static let next = Atomic(Int.random(in: LoopbackPort.candidates))

    /// Returns whether a process listens on a port.
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

    private static func address(port: Int) -> sockaddr_in {
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = in_port_t(UInt16(port)).bigEndian
        address.sin_addr.s_addr = in_addr_t(0x7F00_0001).bigEndian
        return address
    }
}
