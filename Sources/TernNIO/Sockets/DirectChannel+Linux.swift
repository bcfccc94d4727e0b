// SPDX-License-Identifier: Apache-2.0
// Compiled and run on Linux with glibc; never compiled with musl.

#if os(Linux)
import NIOCore
import Synchronization
import TernCLibrary

/// A NIO channel whose socket the calling threads read and write themselves, as ``SocketStateMachine`` decides.
///
/// `@unchecked Sendable`: the loop protects the variables, except the pipeline, which is set before the channel is shared.
final class DirectChannel: OpenChannel, @unchecked Sendable {
    private static let maximumRoundCount = 8

    let allocator = ByteBufferAllocator()
    let loop: SerialLoop
    let readiness: Readiness
    let localAddress: SocketAddress?
    let remoteAddress: SocketAddress?
    let socket: CInt
    private let closePromise: EventLoopPromise<Void>
    private lazy var madePipeline = ChannelPipeline(channel: self)
    private var number = 0
    // Only tasks of the loop use these, one after the other, and no access lasts while another begins. So they need no checks at
    // run time; a GET would make ten, of about 80 instructions each.
    @exclusivity(unchecked) var state = SocketStateMachine()
    @exclusivity(unchecked) var writes = PendingWrites()
    @exclusivity(unchecked) var progressed: (@Sendable () -> Void)?
    @exclusivity(unchecked) private var sizes = AdaptiveRecvByteBufferAllocator(
        minimum: 1 << 10,
        initial: 4 << 10,
        maximum: 256 << 10
    )
    // Threads read these without the loop.
    private let isOpen = Atomic<Bool>(true)
    let hasRoom = Atomic<Bool>(true)
    /// Whether the socket has not taken all flushed bytes.
    let hasUnsent = Atomic<Bool>(false)
    /// Whether the ``Readiness`` thread receives what arrives, for readers that are not on the loop.
    let isWatched = Atomic<Bool>(true)
    /// Whether a reader has asked for bytes; the next reader that waits clears this, and receives them.
    let isDemanded = Atomic<Bool>(false)
    let spinning: SpinPolicy

    init(_ socket: ConnectedSocket, readiness: Readiness, polls: Bool) {
        self.socket = socket.descriptor
        self.spinning = SpinPolicy(polls: polls)
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

    // MARK: Effects

    func perform(_ effects: SocketStateMachine.Effects) {
        if effects.isEmpty { return }
        if effects.contains(.watch) {
            self.isWatched.store(self.state.watchesArrivals, ordering: .relaxed)
            self.readiness.change(self.socket, self.interest, number: self.number)
        }
        if effects.contains(.receive) { self.loop.execute { self.receiveAll() } }
        if effects.contains(.receiveLater) {
            self.readiness.perform {
                self.loop.execute {
                    self.state.continued()
                    self.receiveAll()
                }
            }
        }
        if effects.contains(.send) { self.send() }
        if effects.contains(.discardArrivals) { self.discardArrivals() }
    }

    /// The events of the socket that the system reports.
    private var interest: Readiness.Interest {
        var interest = Readiness.Interest.ended
        if self.state.watchesArrivals { interest.insert(.readable) }
        if self.state.watchesRoom { interest.insert(.writable) }
        return interest
    }

    // MARK: Receiving

    func read0() { self.perform(self.state.wanted()) }

    /// Receives bytes while the handlers want more, and the socket may have more.
    func receiveAll() {
        guard self.state.roundsBegin() else { return }
        for _ in 0..<Self.maximumRoundCount where self.state.mayHaveBytes {
            if !self.receive() { break }
        }
        self.perform(self.state.roundsEnd())
    }

    /// Receives what has arrived, with one read; returns whether it found bytes, the end or a failure.
    @discardableResult
    func receive() -> Bool {
        guard self.state.receives else { return false }
        var bytes = self.sizes.buffer(allocator: self.allocator)
        let room = bytes.writableBytes
        var code: CInt = 0
        let count = bytes.writeWithUnsafeMutableBytes(minimumWritableBytes: 0) { storage in
            while true {
                let count = recv(self.socket, storage.baseAddress, storage.count, 0)
                if count >= 0 { return count }
                if errno == EINTR { continue }
                code = errno
                return 0
            }
        }
        if code == EAGAIN || code == EWOULDBLOCK {
            self.state.wouldBlock()
            return false
        }
        if code != 0 {
            self.fail(IOError(errnoCode: code, reason: "recv"))
            return true
        }
        if count == 0 {
            if let code = self.state.receivedEnd() {
                self.fail(IOError(errnoCode: code, reason: "send"))
                return true
            }
            self.pipeline.syncOperations.fireUserInboundEventTriggered(ChannelEvent.inputClosed)
        } else {
            self.state.received(isShort: count < room)
            _ = self.sizes.record(actualReadBytes: count)
            self.spinning.received()
            self.pipeline.syncOperations.fireChannelRead(NIOAny(bytes))
        }
        self.pipeline.syncOperations.fireChannelReadComplete()
        return true
    }

    // MARK: The end

    /// Closes the channel after a failed write, once the reader has the response that the peer may have sent before.
    func failAfterReceiving(_ failure: IOError) {
        while self.receive() {}
        self.fail(failure)
    }

    func fail(_ failure: any Error) {
        guard self.isActive else { return }
        self.pipeline.syncOperations.fireErrorCaught(failure)
        self.close0(error: failure, mode: .all, promise: nil)
    }

    func close0(error: any Error, mode: CloseMode, promise: EventLoopPromise<Void>?) {
        guard self.beginsToClose(self.isOpen, mode, promise) else { return }
        self.perform(self.state.closed())
        self.readiness.remove(self.socket, number: self.number)
        SystemSocket.close(self.socket)
        self.writes.removeAll(error)
        promise?.succeed()
        self.loop.execute { self.leavePipeline(self.closePromise) }
    }

    /// Drops what has arrived, because closing a socket with unread bytes resets the connection, and drops what was sent last.
    private func discardArrivals() {
        withUnsafeTemporaryAllocation(byteCount: 16 << 10, alignment: 16) { storage in
            for _ in 0..<Self.maximumRoundCount where recv(self.socket, storage.baseAddress, storage.count, 0) > 0 {}
        }
    }
}

extension DirectChannel: Readiness.Receiver {
    func becameReady(for interest: Readiness.Interest) {
        self.loop.execute { [self] in
            self.state.arrived(isEnd: !interest.isDisjoint(with: [.ended, .failed]))
            self.receiveAll()
            self.perform(self.state.handled(hasRoom: interest.contains(.writable)))
            if interest.contains(.writable) { self.progressed?() }
        }
    }
}
#endif
