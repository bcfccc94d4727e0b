// SPDX-License-Identifier: Apache-2.0

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// A thread of this process for work that may block for a long time.
///
/// Dispatch has a limited number of threads, which timers, file queues and Swift concurrency need. A thread that waits
/// for the network must not be one of them.
enum DetachedThread {
    /// The work that is passed to a thread when it starts.
    private final class Work {
        let run: @Sendable () -> Void

        init(_ run: @escaping @Sendable () -> Void) { self.run = run }
    }

    /// Starts a thread that ends when `work` returns.
    ///
    /// - Returns: 0, or the system's `errno` if it could not start a thread; `work` does not run then.
    static func start(_ work: @escaping @Sendable () -> Void) -> CInt {
        let argument = Unmanaged.passRetained(Work(work)).toOpaque()
        #if canImport(Glibc)
        var thread = pthread_t()
        #else
        var thread: pthread_t?
        #endif
        let failure = pthread_create(&thread, nil, { Self.run($0) }, argument)
        if failure != 0 { Unmanaged<Work>.fromOpaque(argument).release() }
        return failure
    }

    // On some platforms the argument is optional, on others it is not.
    private static func run(_ argument: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
        pthread_detach(pthread_self())
        guard let argument else { return nil }
        Unmanaged<Work>.fromOpaque(argument).takeRetainedValue().run()
        return nil
    }
}
