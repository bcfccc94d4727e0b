// SPDX-License-Identifier: Apache-2.0
import Dispatch
import Foundation

/// Runs an action on another thread, and waits for its end, where code cannot suspend, as while a lock is held.
public func onOtherThread(_ action: @escaping @Sendable () -> Void) {
    let done = DispatchSemaphore(value: 0)
    Thread.detachNewThread {
        action()
        done.signal()
    }
    done.wait()
}
