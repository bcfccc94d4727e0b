// SPDX-License-Identifier: Apache-2.0

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// A thread of this process's own, for work that may block for long.
///
/// Dispatch has a bounded number of threads, which timers, file queues and Swift concurrency need: a thread that waits for
/// the network must be none of them.
enum DetachedThread {
    /// What a thread is handed when it starts.
    private final class Work {
        let run: @Sendable () -> Void

        init(_ run: @escaping @Sendable () -> Void) { self.run = run }
    }

    /// Starts a thread that ends when `work` returns.
    ///
    /// - Returns: 0, or the system's `errno` when it has no thread to spare; then `work` is not done.
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

    // On some platforms the argument is optional, on others not.
    private static func run(_ argument: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
        pthread_detach(pthread_self())
        guard let argument else { return nil }
        Unmanaged<Work>.fromOpaque(argument).takeRetainedValue().run()
        return nil
    }
}
