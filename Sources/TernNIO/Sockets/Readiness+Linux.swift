// SPDX-License-Identifier: Apache-2.0
// Compiled and run on Linux with glibc; never compiled with musl.

#if os(Linux)
import CReadiness
import DequeModule
import NIOCore
import Synchronization
import TernCLibrary
import TernFiles

/// Reports which of its sockets are ready, from one thread (epoll) that ends with the process.
final class Readiness: Sendable {
    /// Flags of `epoll(7)`.
    struct Interest: OptionSet, Sendable {
        let rawValue: UInt32

        static let readable = Interest(rawValue: 0x1)
        static let writable = Interest(rawValue: 0x4)
        /// The socket has failed, or both sides have ended, which the system always reports.
        static let failed = Interest(rawValue: 0x8 | 0x10)
        /// The peer has ended its side.
        static let ended = Interest(rawValue: 0x2000)
        fileprivate static let onChange = Interest(rawValue: 1 << 31)
    }

    /// Receives the reports about one socket, on the thread.
    protocol Receiver: AnyObject, Sendable {
        func becameReady(for interest: Interest)
    }

    private struct State {
        var receivers: [Int: any Receiver] = [:]
        var lastNumber = 0
        var work = Deque<@Sendable () -> Void>()
        var isWoken = false
    }

    private static let maximumEventCount = 64

    private let poller: CInt
    private let waker: CInt
    private let state = Mutex(State())

    /// Makes a write to a reset connection fail for other code, such as NIO, where SIGPIPE would end the process.
    ///
    /// The client itself blocks the signal for its own calls. A handler of the application stays.
    private static let ignoresBrokenPipes: Void = CReadiness_ignoreBrokenPipes()

    /// Starts a thread; `nil` if the system allows no more threads, or no descriptors except those of the reserve.
    init?() {
        Self.ignoresBrokenPipes
        let poller = DescriptorReserve.open { epoll_create1(CInt(0x80000)) }  // EPOLL_CLOEXEC
        guard poller >= 0 else { return nil }
        let waker = DescriptorReserve.open { eventfd(0, CInt(0x80000 | 0x800)) }  // EFD_CLOEXEC, EFD_NONBLOCK
        guard waker >= 0 else {
            close(poller)
            return nil
        }
        self.poller = poller
        self.waker = waker
        guard self.control(1, waker, [.readable], 0), DetachedThread.start({ [self] in self.run() }) == 0 else {
            close(poller)
            close(waker)
            return nil
        }
    }

    /// Begins to report about a socket, and returns its number; `nil` if the system refuses, for example for lack of memory.
    func add(_ socket: CInt, _ interest: Interest, for receiver: any Receiver) -> Int? {
        let number = self.state.withLock { state in
            state.lastNumber += 1
            state.receivers[state.lastNumber] = receiver
            return state.lastNumber
        }
        if self.control(1, socket, interest.union(.onChange), number) { return number }
        self.state.withLock { _ = $0.receivers.removeValue(forKey: number) }
        return nil
    }

    /// Changes what is reported about a socket, including what it is ready for already.
    func change(_ socket: CInt, _ interest: Interest, number: Int) {
        self.control(3, socket, interest.union(.onChange), number)
    }

    /// Ends the reports about a socket, before it is closed.
    func remove(_ socket: CInt, number: Int) {
        self.control(2, socket, [], number)
        self.state.withLock { _ = $0.receivers.removeValue(forKey: number) }
    }

    func perform(_ work: @escaping @Sendable () -> Void) {
        let wakes = self.state.withLock { state in
            state.work.append(work)
            defer { state.isWoken = true }
            return !state.isWoken
        }
        if wakes { eventfd_write(self.waker, 1) }
    }

    @discardableResult
    private func control(_ operation: CInt, _ socket: CInt, _ interest: Interest, _ number: Int) -> Bool {
        var event = epoll_event(events: interest.rawValue, data: epoll_data_t(u64: UInt64(number)))
        return epoll_ctl(self.poller, operation, socket, &event) == 0
    }

    private func run() {
        CReadiness_nameThread("tern.sockets")
        var events = [epoll_event](repeating: epoll_event(), count: Self.maximumEventCount)
        var ready: [(any Receiver, Interest)] = []
        while true {
            let count = epoll_wait(self.poller, &events, CInt(Self.maximumEventCount), -1)
            guard count > 0 else { continue }
            var isWoken = false
            self.state.withLock { state in
                for event in events[..<Int(count)] {
                    let number = Int(event.data.u64)
                    if number == 0 {
                        isWoken = true
                    } else if let receiver = state.receivers[number] {
                        ready.append((receiver, Interest(rawValue: event.events)))
                    }
                }
            }
            for (receiver, interest) in ready { receiver.becameReady(for: interest) }
            ready.removeAll(keepingCapacity: true)
            if isWoken { self.performWork() }
        }
    }

    private func performWork() {
        var count: eventfd_t = 0
        eventfd_read(self.waker, &count)
        var work = self.state.withLock { state in
            state.isWoken = false
            defer { state.work = [] }
            return state.work
        }
        while let next = work.popFirst() { next() }
    }
}
#endif
