// SPDX-License-Identifier: Apache-2.0
import NIOCore
import Synchronization
import TernConnections
import TernErrors

/// The channels that are opened to make one connection, and that are closed together when the caller gives up.
///
/// Happy Eyeballs (RFC 8305) tries addresses in parallel, and a channel that is still connecting would otherwise stay open.
final class ConnectionAttempt: Sendable {
    private struct State {
        var channels: [any Channel] = []
        var isOver = false
    }

    private let state = Mutex(State())

    /// Registers a channel before it is connected, and closes it if the caller has already given up.
    func opened(_ channel: any Channel) {
        let isOver = self.state.withLock { state in
            state.channels.append(channel)
            return state.isOver
        }
        if isOver { channel.close(promise: nil) }
    }

    /// Closes all channels, including channels that are opened later.
    func giveUp() {
        let channels = self.state.withLock { state in
            state.isOver = true
            return state.channels
        }
        for channel in channels { channel.close(promise: nil) }
    }

    /// Waits, even if cancelled, until all descriptors are closed; call it after ``giveUp()``, when no channel can be added.
    func closed() async {
        let channels = self.state.withLock { state in
            defer { state.channels = [] }
            return state.channels
        }
        for channel in channels { await channel.closeFuture.settled() }
    }
}

extension EventLoopFuture where Value: Sendable {
    func settled() async {
        await withUnsafeContinuation { continuation in self.whenComplete { _ in continuation.resume() } }
    }
}

/// Reports to the call's observer that a channel begins to connect, and later whether it connected.
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
                // An error that does not come from the socket means that the channel was no longer needed.
                let failure = (error as? IOError).map { ConnectionFailure(errno: $0.errnoCode) }
                report(.attempted(address: text, failure ?? .interrupted))
            }
        }
        context.connect(to: address, promise: attempted)
        context.pipeline.syncOperations.removeHandler(self, promise: nil)
    }
}
