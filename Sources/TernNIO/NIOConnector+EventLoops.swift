// SPDX-License-Identifier: Apache-2.0
import NIOCore
import NIOPosix
import Synchronization
import TernCLibrary
import TernConnections
import TernErrors
import TernFiles

extension NIOConnector {
    /// The number of descriptors of an event loop on Linux: for epoll, a timer and an event.
    private static let eventLoopDescriptorCount = 3

    private static let hasStartedEventLoops = Atomic(false)

    /// Returns an event loop; throws `tooManyOpenFiles` if too few descriptors are left, because NIO would end the process.
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

    /// Throws an error if the channel's socket belongs to the reserve, so that NIO closes the channel; runs on its event loop.
    static func checkReserve(_ channel: any Channel) throws {
        let operations = channel.pipeline.syncOperations
        _ = try operations.withUnsafeTransportIfAvailable(of: NIOBSDSocket.Handle.self) { descriptor in
            guard DescriptorReserve.current.contains(descriptor) else { return }
            throw IOError(errnoCode: EMFILE, reason: "socket")
        }
    }
}
