// SPDX-License-Identifier: Apache-2.0
import TernCLibrary

/// Traps, in debug builds, where slow work begins on a thread that holds a lock under which nothing slow may happen.
///
/// Slow work is a system call, TLS, the code of an application, and resuming a task, because its executor may be the application's.
package enum SlowWork {
    /// Traps if the thread holds such a lock.
    @inlinable
    package static func begins() {
        #if DEBUG
        precondition(self.lockCount == 0, "slow work began under a lock of a session, a stream or the pool")
        #endif
    }

    #if DEBUG
    private static let key: pthread_key_t = {
        var key = pthread_key_t()
        pthread_key_create(&key, nil)
        return key
    }()

    /// The number of such locks that this thread holds.
    @usableFromInline package static var lockCount: Int {
        get { Int(bitPattern: pthread_getspecific(self.key)) }
        set { _ = pthread_setspecific(self.key, UnsafeRawPointer(bitPattern: newValue)) }
    }
    #endif
}
