// SPDX-License-Identifier: Apache-2.0
import NIOCore
import Synchronization
import TernCLibrary
import TernConnections
import TernErrors
import TernFiles

/// Looks up a host name with the system's `getaddrinfo`, which sorts addresses as RFC 6724 demands.
enum SystemLookUp {
    /// The number of descriptors that a look-up may have open at the same time.
    private static let descriptorCount = 2

    private static let runningCount = Atomic(0)

    /// Returns the addresses of a host without a port, the best first, and blocks the thread until then.
    static func addresses(of host: String) -> Result<[SocketAddress], ConnectionError> {
        // The other look-ups may be about to open their descriptors.
        let count = Self.runningCount.add(1, ordering: .relaxed).newValue
        defer { Self.runningCount.subtract(1, ordering: .relaxed) }
        guard DescriptorReserve.leaves(count * Self.descriptorCount) else {
            return .failure(.notConnected(.tooManyOpenFiles))
        }
        var hints = addrinfo()
        hints.ai_socktype = CLibrary.streamSocket
        hints.ai_protocol = CInt(IPPROTO_TCP)
        var list: UnsafeMutablePointer<addrinfo>?
        errno = 0
        let code = getaddrinfo(host, nil, &hints, &list)
        guard code == 0 else { return .failure(.notConnected(ConnectionFailure(lookUp: code, errno: errno))) }
        defer { list.map { freeaddrinfo($0) } }
        var addresses: [SocketAddress] = []
        var next = list
        while let entry = next?.pointee {
            if let address = UnsafeRawPointer(entry.ai_addr) {
                switch CInt(entry.ai_family) {
                case AF_INET: addresses.append(SocketAddress(address.load(as: sockaddr_in.self), host: host))
                case AF_INET6: addresses.append(SocketAddress(address.load(as: sockaddr_in6.self), host: host))
                default: break
                }
            }
            next = entry.ai_next
        }
        return addresses.isEmpty ? .failure(.notConnected(.resolution(isTemporary: false))) : .success(addresses)
    }
}

extension ConnectionFailure {
    /// Creates the failure for a result `EAI_…` of `getaddrinfo`, before which `errno` was set to 0.
    init(lookUp code: CInt, errno: CInt) {
        switch code {
        // If glibc has no descriptor for reading its settings, it reports that the name does not exist.
        case _ where errno == EMFILE || errno == ENFILE: self = .tooManyOpenFiles
        case EAI_SYSTEM: self = ConnectionFailure(errno: errno)
        case EAI_MEMORY: self = .system(errno: ENOMEM)
        case EAI_AGAIN: self = .resolution(isTemporary: true)
        default: self = .resolution(isTemporary: false)
        }
    }
}
