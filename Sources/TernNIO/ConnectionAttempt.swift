// SPDX-License-Identifier: Apache-2.0
import NIOCore
import Synchronization
import TernConnections
import TernErrors

/// The channels that are opened to make one connection.
///
/// They are closed together when the caller gives up.
///
/// There may be several channels, because Happy Eyeballs (RFC 8305) tries addresses in parallel. Without this object, a
/// channel that is still connecting would stay open after the caller has given up.
final class ConnectionAttempt: Sendable {
    private struct State {
        var channels: [any Channel] = []
        /// Whether the caller has given up, or the attempt has failed.
        var isOver = false
    }

    private let state = Mutex(State())

    /// Registers a channel that was opened, but is not connected yet.
    ///
    /// If the caller has already given up, closes the channel at once.
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

    /// Waits until the system has released the descriptors of all channels.
    ///
    /// Call this method only after ``giveUp()``, and only when no further channel can be opened. Cancelling the task
    /// does not shorten the wait.
    func closed() async {
        let channels = self.state.withLock { state in
            defer { state.channels = [] }
            return state.channels
        }
        for channel in channels { await channel.closeFuture.settled() }
    }
}

extension EventLoopFuture where Value: Sendable {
    /// Waits for success or failure.
    ///
    /// Cancelling the task does not shorten the wait.
    func settled() async {
        await withUnsafeContinuation { continuation in self.whenComplete { _ in continuation.resume() } }
    }
}

/// Reports that a channel begins to connect, and later whether the channel connected.
///
/// The handler is in the channel's pipeline only if the call has an observer.
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
                // An error that does not come from the socket means that Happy Eyeballs or `ConnectionAttempt` closed
                // a channel that was no longer needed.
                let failure = (error as? IOError).map { ConnectionFailure(errno: $0.errnoCode) }
                report(.attempted(address: text, failure ?? .interrupted))
            }
        }
        context.connect(to: address, promise: attempted)
        context.pipeline.syncOperations.removeHandler(self, promise: nil)
    }
}
