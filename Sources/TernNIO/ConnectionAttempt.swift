// SPDX-License-Identifier: Apache-2.0
import NIOCore
import Synchronization
import TernConnections
import TernErrors

/// The channels that were opened to make one connection, so that nothing goes on when the caller gives up.
///
/// There may be several, for Happy Eyeballs (RFC 8305) tries addresses in parallel; and a channel that is connecting, or
/// negotiates TLS with a silent server, would otherwise live as long as the server lets it.
final class ConnectionAttempt: Sendable {
    private struct State {
        var channels: [any Channel] = []
        /// The caller has given up, or the attempt has failed.
        var isOver = false
    }

    private let state = Mutex(State())

    /// A channel was opened, and is not connected yet; it is closed at once if the caller waits no more.
    func opened(_ channel: any Channel) {
        let isOver = self.state.withLock { state in
            state.channels.append(channel)
            return state.isOver
        }
        if isOver { channel.close(promise: nil) }
    }

    /// Closes all channels, those that are opened later too.
    func giveUp() {
        let channels = self.state.withLock { state in
            state.isOver = true
            return state.channels
        }
        for channel in channels { channel.close(promise: nil) }
    }

    /// Waits until the system has the descriptors of all channels back; cancelling the task does not shorten that.
    ///
    /// Only after ``giveUp()``, and when no more channels are opened.
    func closed() async {
        let channels = self.state.withLock { state in
            defer { state.channels = [] }
            return state.channels
        }
        for channel in channels { await channel.closeFuture.settled() }
    }
}

extension EventLoopFuture where Value: Sendable {
    /// Waits until it has succeeded or failed; cancelling the task does not shorten that.
    func settled() async {
        await withUnsafeContinuation { continuation in self.whenComplete { _ in continuation.resume() } }
    }
}

/// Reports the attempt of one channel to connect; it is in the pipeline only where the call is observed.
final class ConnectAttemptHandler: ChannelOutboundHandler, RemovableChannelHandler {
    typealias OutboundIn = Never

    private let report: @Sendable (ConnectionMilestone) -> Void

    init(_ report: @escaping @Sendable (ConnectionMilestone) -> Void) { self.report = report }

    func connect(context: ChannelHandlerContext, to address: SocketAddress, promise: EventLoopPromise<Void>?) {
        let text = address.text ?? "\(address)"
        let report = self.report
        let attempted = promise ?? context.eventLoop.makePromise()
        report(.attempting(address: text))
        attempted.futureResult.whenComplete { result in
            switch result {
            case .success:
                report(.attempted(address: text, nil))
            case .failure(let error):
                // Happy Eyeballs closes the channels of the attempts that it needs no more.
                let failure = (error as? IOError).map { ConnectionFailure(errno: $0.errnoCode) }
                report(.attempted(address: text, failure ?? .interrupted))
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
        return ConnectionEndpoint.host(address, port: port).description
    }
}
