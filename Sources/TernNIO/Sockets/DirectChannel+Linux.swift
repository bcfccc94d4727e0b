// SPDX-License-Identifier: Apache-2.0
// Compiled and run on Linux with glibc; never compiled with musl.

#if os(Linux)
import DequeModule
import NIOCore
import Synchronization
import TernCLibrary

/// A NIO channel whose socket the calling threads read and write themselves.
///
/// `@unchecked Sendable`: the loop protects the variables, except the pipeline, which is set before the channel is shared.
final class DirectChannel: OpenChannel, @unchecked Sendable {
    let allocator = ByteBufferAllocator()
    let loop: SerialLoop
    let readiness: Readiness
    let localAddress: SocketAddress?
    let remoteAddress: SocketAddress?
    let socket: CInt
    private let closePromise: EventLoopPromise<Void>
    private lazy var madePipeline = ChannelPipeline(channel: self)
    private let isOpen = Atomic<Bool>(true)
    let hasRoom = Atomic<Bool>(true)
    /// Whether the socket has not taken all flushed bytes.
    let hasUnsent = Atomic<Bool>(false)
    private var number = 0
    // Only tasks of the loop use these, one after the other, and no access lasts while another begins. So they need no checks at run
    // time; a GET would make ten, of about 80 instructions each.
    @exclusivity(unchecked) private(set) var interest: Readiness.Interest = [.ended, .readable]
    @exclusivity(unchecked) var writes = PendingWrites()
    @exclusivity(unchecked) var input = Input()
    @exclusivity(unchecked) var progressed: (@Sendable () -> Void)?
    /// Whether the ``Readiness`` thread receives what arrives, for readers that are not on the loop.
    let isWatched = Atomic<Bool>(true)
    /// Whether the peer has sent something since the last flush.
    let isOurTurn = Atomic<Bool>(true)
    /// Whether a reader has asked for bytes; the next reader that waits clears this, and receives them.
    let isDemanded = Atomic<Bool>(false)
    /// Whether few readers waited when a reader of this channel last began to wait.
    let isQuiet = Atomic<Bool>(true)
    let polls: Bool
    let polling = Mutex(PollingStateMachine())

    init(_ socket: ConnectedSocket, readiness: Readiness, polls: Bool) {
        self.socket = socket.descriptor
        self.polls = polls
        self.readiness = readiness
        self.localAddress = socket.localAddress
        self.remoteAddress = socket.remoteAddress
        self.loop = SerialLoop { work in readiness.perform(work) }
        self.closePromise = self.loop.makePromise()
        _ = self.madePipeline
    }

    /// Begins to watch the socket, on the loop, once.
    func begin() throws {
        guard let number = self.readiness.add(self.socket, self.interest, for: self) else {
            throw IOError(errnoCode: errno, reason: "epoll_ctl")
        }
        self.number = number
    }

    var eventLoop: any EventLoop { self.loop }
    var pipeline: ChannelPipeline { self.madePipeline }
    var closeFuture: EventLoopFuture<Void> { self.closePromise.futureResult }
    var isActive: Bool { self.isOpen.load(ordering: .relaxed) }
    var isWritable: Bool { self.hasRoom.load(ordering: .relaxed) }

    func localAddress0() throws -> SocketAddress {
        guard let address = self.localAddress else { throw ChannelError.operationUnsupported }
        return address
    }

    func remoteAddress0() throws -> SocketAddress {
        guard let address = self.remoteAddress else { throw ChannelError.operationUnsupported }
        return address
    }

    func wait(for interest: Readiness.Interest) {
        guard self.isActive, interest != self.interest else { return }
        self.interest = interest
        if interest.contains(.readable) { self.input.isPaused = false }
        self.isWatched.store(interest.contains(.readable), ordering: .relaxed)
        self.readiness.change(self.socket, interest, number: self.number)
    }

    // MARK: The end

    func fail(_ failure: any Error) {
        guard self.isActive else { return }
        self.pipeline.syncOperations.fireErrorCaught(failure)
        self.close0(error: failure, mode: .all, promise: nil)
    }

    func close0(error: any Error, mode: CloseMode, promise: EventLoopPromise<Void>?) {
        guard self.beginsToClose(self.isOpen, mode, promise) else { return }
        self.discardArrivals()
        self.readiness.remove(self.socket, number: self.number)
        SystemSocket.close(self.socket)
        self.writes.removeAll(error)
        promise?.succeed()
        self.loop.execute { self.leavePipeline(self.closePromise) }
    }
}

extension DirectChannel: Readiness.Receiver {
    func becameReady(for interest: Readiness.Interest) {
        self.loop.execute { [self] in
            if !interest.isDisjoint(with: [.ended, .failed]) { self.input.mayHaveEnded = true }
            self.input.mayBeReadable = true
            self.receiveAll()
            self.pauseIfUnwanted()
            guard interest.contains(.writable) else { return }
            self.send()
            self.progressed?()
        }
    }
}
#endif
