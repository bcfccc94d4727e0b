// SPDX-License-Identifier: Apache-2.0
import Dispatch
import NIOCore
import NIOPosix
import TernTransport

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// Looks one host name up with the system's `getaddrinfo`, which sorts addresses as RFC 6724 wants, and says so.
///
/// It does what NIO's own does, which tells nobody. It serves one name: NIO asks for both kinds of address, and one
/// look-up gives both.
final class NameResolver: Resolver, Sendable {
    /// A name that could not be looked up; the code is one of `EAI_…`.
    struct Failure: Error {
        let code: Int32
    }

    private let eventLoop: any EventLoop
    private let observer: (any TransferObserver)?
    private let version4: EventLoopPromise<[SocketAddress]>
    private let version6: EventLoopPromise<[SocketAddress]>

    init(_ eventLoop: any EventLoop, _ observer: (any TransferObserver)?) {
        self.eventLoop = eventLoop
        self.observer = observer
        self.version4 = eventLoop.makePromise()
        self.version6 = eventLoop.makePromise()
    }

    func initiateAAAAQuery(host: String, port: Int) -> EventLoopFuture<[SocketAddress]> {
        self.observer?.didReach(.resolving)
        // It blocks, so it must be on no event loop; and it cannot be cancelled. The queue is its own, so that a name that
        // takes long holds up no other, and nothing that is busy elsewhere holds up this one.
        DispatchQueue(label: "tern.NameResolver").async {
            let found = Result { () throws(Failure) in try Self.lookUp(host, port) }
            if case .success(let addresses) = found {
                self.observer?.didReach(.resolved(addressCount: addresses.count))
            }
            // In one turn of the event loop: who has all addresses at once chooses best.
            self.eventLoop.execute {
                switch found {
                case .success(let addresses):
                    self.version6.succeed(addresses.filter { $0.protocol == .inet6 })
                    self.version4.succeed(addresses.filter { $0.protocol == .inet })
                case .failure(let failure):
                    self.version6.fail(failure)
                    self.version4.fail(failure)
                }
            }
        }
        return self.version6.futureResult
    }

    func initiateAQuery(host: String, port: Int) -> EventLoopFuture<[SocketAddress]> { self.version4.futureResult }

    func cancelQueries() {}

    private static func lookUp(_ host: String, _ port: Int) throws(Failure) -> [SocketAddress] {
        var hints = addrinfo()
        #if canImport(Glibc)
        hints.ai_socktype = CInt(SOCK_STREAM.rawValue)
        #else
        hints.ai_socktype = SOCK_STREAM
        #endif
        hints.ai_protocol = CInt(IPPROTO_TCP)
        var list: UnsafeMutablePointer<addrinfo>?
        let code = getaddrinfo(host, String(port), &hints, &list)
        guard code == 0 else { throw Failure(code: code) }
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
        guard !addresses.isEmpty else { throw Failure(code: EAI_NONAME) }
        return addresses
    }
}
