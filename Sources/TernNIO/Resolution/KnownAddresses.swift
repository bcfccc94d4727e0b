// SPDX-License-Identifier: Apache-2.0
import NIOCore
import NIOPosix

/// Gives NIO's Happy Eyeballs (RFC 8305) the addresses that the client has already looked up.
struct KnownAddresses: Resolver, Sendable {
    private let eventLoop: any EventLoop
    private let addresses: [SocketAddress]

    init(_ addresses: [SocketAddress], on eventLoop: any EventLoop) {
        self.eventLoop = eventLoop
        self.addresses = addresses
    }

    func initiateAAAAQuery(host: String, port: Int) -> EventLoopFuture<[SocketAddress]> { self.those(of: .inet6) }

    func initiateAQuery(host: String, port: Int) -> EventLoopFuture<[SocketAddress]> { self.those(of: .inet) }

    func cancelQueries() {}

    private func those(of family: NIOBSDSocket.ProtocolFamily) -> EventLoopFuture<[SocketAddress]> {
        self.eventLoop.makeSucceededFuture(self.addresses.filter { $0.protocol == family })
    }
}
