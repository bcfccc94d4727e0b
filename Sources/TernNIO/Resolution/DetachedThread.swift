// SPDX-License-Identifier: Apache-2.0
import TernCLibrary

/// Starts threads for work that may block for long, for which the threads of Dispatch are too few.
enum DetachedThread {
    private final class Work {
        let run: @Sendable () -> Void

        init(_ run: @escaping @Sendable () -> Void) { self.run = run }
    }

    /// Starts a thread that ends when `work` returns; returns 0, or the `errno` of the thread that did not start.
    static func start(stackByteCount: Int? = nil, _ work: @escaping @Sendable () -> Void) -> CInt {
        guard let stackByteCount else { return self.start(with: nil, work) }
        // Not a variable, because the initializer of this structure may belong to a module of NIO.
        return withUnsafeTemporaryAllocation(of: pthread_attr_t.self, capacity: 1) { attributes in
            guard let attributes = attributes.baseAddress, pthread_attr_init(attributes) == 0 else { return ENOMEM }
            defer { pthread_attr_destroy(attributes) }
            // If the system refuses the length, the thread has the usual one.
            pthread_attr_setstacksize(attributes, stackByteCount)
            return self.start(with: attributes, work)
        }
    }

    private static func start(
        with attributes: UnsafePointer<pthread_attr_t>?,
        _ work: @escaping @Sendable () -> Void
    ) -> CInt {
        let argument = Unmanaged.passRetained(Work(work)).toOpaque()
        let failure = self.withSpace { thread in pthread_create(thread, attributes, { Self.run($0) }, argument) }
        if failure != 0 { Unmanaged<Work>.fromOpaque(argument).release() }
        return failure
    }

    /// Calls a function with space for a thread's identifier, whose type is optional on some platforms.
    private static func withSpace<Thread>(_ create: (UnsafeMutablePointer<Thread>) -> CInt) -> CInt {
        withUnsafeTemporaryAllocation(of: Thread.self, capacity: 1) { space in
            space.baseAddress.map(create) ?? ENOMEM
        }
    }

    // The argument is optional here, because it is optional on some platforms.
    private static func run(_ argument: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
        pthread_detach(pthread_self())
        guard let argument else { return nil }
        Unmanaged<Work>.fromOpaque(argument).takeRetainedValue().run()
        return nil
    }
}
