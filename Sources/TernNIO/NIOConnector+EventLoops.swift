// SPDX-License-Identifier: Apache-2.0
import NIOCore
import NIOPosix
import Synchronization
import TernCLibrary
import TernConnections
import TernErrors
import TernFiles

extension NIOConnector {
    /// The number of descriptors that an event loop opens when it starts: on Linux, those of epoll, of a timer and of
    /// an event.
    private static let eventLoopDescriptorCount = 3

    /// Whether this connector has started the event loops that the process shares.
    private static let hasStartedEventLoops = Atomic(false)

    /// Returns an event loop for a connection.
    ///
    /// - Throws: `tooManyOpenFiles` if the event loops of the process have not started, and the process has not enough
    ///   descriptors for them. NIO would end the process.
    func nextEventLoop() throws(ConnectionError) -> any EventLoop {
        if let loops = self.loops { return loops.any() }
        // An event loop that runs on this thread belongs to loops that have started.
        if !Self.hasStartedEventLoops.load(ordering: .acquiring), MultiThreadedEventLoopGroup.currentEventLoop == nil {
            guard DescriptorReserve.leaves(Self.eventLoopDescriptorCount * System.coreCount) else {
                throw .notConnected(.tooManyOpenFiles)
            }
        }
        let eventLoop = MultiThreadedEventLoopGroup.singleton.any()
        Self.hasStartedEventLoops.store(true, ordering: .releasing)
        return eventLoop
    }

    /// Throws the error of a system without free descriptors if the socket of a channel belongs to the reserve.
    ///
    /// Call this method on the event loop of the channel. The caller closes the channel.
    static func checkReserve(_ channel: any Channel) throws {
        let operations = channel.pipeline.syncOperations
        _ = try operations.withUnsafeTransportIfAvailable(of: NIOBSDSocket.Handle.self) { descriptor in
            guard DescriptorReserve.current.contains(descriptor) else { return }
            throw IOError(errnoCode: EMFILE, reason: "socket")
        }
    }
}
