// SPDX-License-Identifier: Apache-2.0
import Dispatch
import Synchronization
import TernCLibrary

/// A pipe that receives each signal as one byte with the signal's number.
///
/// A signal handler may write to a pipe, which keeps the byte until a reader comes. A signal source of Dispatch would miss a
/// signal that arrives before its thread has begun to watch.
enum SignalPipe {
    private static let writingEnd = Atomic<CInt>(-1)

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

    /// Calls a closure for each signal, also for earlier ones; after a cancellation of the source, the process ignores the
    /// signals.
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

    /// The code after the signal must find the `errno` of the code before it.
    private static func write(_ number: CInt) {
        let before = errno
        var byte = UInt8(truncatingIfNeeded: number)
        _ = TernCLibrary.write(Self.writingEnd.load(ordering: .acquiring), &byte, 1)
        errno = before
    }
}
