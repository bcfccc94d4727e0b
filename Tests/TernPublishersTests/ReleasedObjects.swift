// SPDX-License-Identifier: Apache-2.0
import Synchronization
import TestSupport
import Testing

/// Weak references to objects, which a test can check from any thread.
final class ReleasedObjects: Sendable {
    private struct Reference {
        weak var object: (any AnyObject & Sendable)?
    }

    private let references = Mutex<[Reference]>([])

    func watch(_ objects: any AnyObject & Sendable...) {
        self.references.withLock { $0 += objects.map { Reference(object: $0) } }
    }

    /// Waits until all objects are deallocated; records an issue after five minutes.
    func waitForAll(sourceLocation: SourceLocation = #_sourceLocation) async {
        await expectEventually("nothing holds what was watched", sourceLocation: sourceLocation) { self.areAll }
    }

    /// Whether at least one object was watched, and all are deallocated.
    var areAll: Bool { self.references.withLock { $0.allSatisfy { $0.object == nil } && !$0.isEmpty } }
}
