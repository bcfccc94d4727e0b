// SPDX-License-Identifier: Apache-2.0
import NIOCore
import Synchronization
import TernErrors
import TernTransport

/// The channels that were opened to make one connection, so that nothing goes on when the caller gives up.
///
/// There may be several, for Happy Eyeballs (RFC 8305) tries addresses in parallel; and a channel that is connecting, or
/// negotiates TLS with a silent server, would otherwise live as long as the server lets it.
final class ConnectionAttempt: Sendable {
    private enum State {
        /// The caller waits. Left when it gives up.
        case active([any Channel])
        /// The caller has given up, or the attempt has failed. Never left.
        case over
    }

    private let state = Mutex(State.active([]))

    /// A channel was opened, and is not connected yet; it is closed at once if nobody waits any more.
    func opened(_ channel: any Channel) {
        let isOver = self.state.withLock { state in
            guard case .active(let channels) = state else { return true }
            state = .active(channels + [channel])
            return false
        }
        if isOver { channel.close(promise: nil) }
    }

    /// Closes all channels, those that are opened later too.
    func giveUp() {
        let state = self.state.withLock { state in
            defer { state = .over }
            return state
        }
        guard case .active(let channels) = state else { return }
        for channel in channels { channel.close(promise: nil) }
    }
}

/// Reports the attempt of one channel to connect; it is in the pipeline only where somebody wants to know.
final class ConnectAttemptHandler: ChannelOutboundHandler, RemovableChannelHandler {
    typealias OutboundIn = Never

    private let observer: any TransferObserver

    init(_ observer: any TransferObserver) { self.observer = observer }

    func connect(context: ChannelHandlerContext, to address: SocketAddress, promise: EventLoopPromise<Void>?) {
        let text = address.text ?? "\(address)"
        let observer = self.observer
        let attempted = promise ?? context.eventLoop.makePromise()
        observer.didReach(.attempting(address: text))
        attempted.futureResult.whenComplete { result in
            switch result {
            case .success:
                observer.didReach(.attempted(address: text, nil))
            case .failure(let error):
                // Happy Eyeballs closes the channels of the attempts that it needs no more.
                let failure = (error as? IOError).map { ConnectionFailure(errno: $0.errnoCode) }
                observer.didReach(.attempted(address: text, failure ?? .interrupted))
            }
        }
        context.connect(to: address, promise: attempted)
        context.pipeline.syncOperations.removeHandler(self, promise: nil)
    }
}

extension SocketAddress {
    /// `address:port`, or the path of a socket; `nil` where it has none.
    var text: String? {
        if let path = self.pathname { return path.isEmpty ? nil : path }
        guard let address = self.ipAddress, let port = self.port else { return nil }
        return Endpoint.host(address, port: port).description
    }
}
