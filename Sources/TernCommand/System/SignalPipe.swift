// SPDX-License-Identifier: Apache-2.0
import Dispatch
import Synchronization
import TernCLibrary

/// A pipe that receives each signal that the process gets, as one byte with the signal's number.
///
/// A signal handler may do almost nothing, but it may write to a pipe. The pipe keeps the byte until a reader comes. In
/// contrast, a signal source of Dispatch misses a signal that arrives before its thread has begun to watch.
enum SignalPipe {
    /// The descriptor that the signal handler writes to; -1 before there is a pipe.
    private static let writingEnd = Atomic<CInt>(-1)

    /// The descriptor that the signals are read from, until the process ends; `nil` if the system makes no pipe.
    private static let readingEnd: CInt? = {
        var ends: [CInt] = [-1, -1]
        guard pipe(&ends) == 0 else { return nil }
        for end in ends {
            _ = fcntl(end, F_SETFD, FD_CLOEXEC)
            _ = fcntl(end, F_SETFL, O_NONBLOCK)
        }
        Self.writingEnd.store(ends[1], ordering: .releasing)
        return ends[0]
    }()

    /// Calls a closure for each signal, also for those that arrive before the source is active.
    ///
    /// If the system makes no pipe, the signals keep the effect that they had.
    ///
    /// - Parameters:
    ///   - numbers: The signals.
    ///   - action: Receives the number of each signal.
    /// - Returns: The source of the calls, for its cancellation. After that, the process ignores the signals.
    static func source(
        of numbers: [CInt],
        _ action: @escaping @Sendable (CInt) -> Void
    ) -> (any DispatchSourceRead)? {
        guard let readingEnd = Self.readingEnd else { return nil }
        // On all platforms, `signal` chooses SA_RESTART: system calls of other threads do not fail because a signal arrives.
        for number in numbers { _ = signal(number) { SignalPipe.write($0) } }
        let source = DispatchSource.makeReadSource(fileDescriptor: readingEnd, queue: .global(qos: .userInteractive))
        source.setEventHandler {
            var number: UInt8 = 0
            while read(readingEnd, &number, 1) == 1 { action(CInt(number)) }
        }
        source.activate()
        return source
    }

    /// Handles a signal; the code after the signal must find the `errno` of the code before it.
    private static func write(_ number: CInt) {
        let before = errno
        var byte = UInt8(truncatingIfNeeded: number)
        _ = TernCLibrary.write(Self.writingEnd.load(ordering: .acquiring), &byte, 1)
        errno = before
    }
}
