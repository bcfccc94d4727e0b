// SPDX-License-Identifier: Apache-2.0
import Synchronization
import TestSupport
import Testing

/// Weak references, looked at from any thread.
final class ReleasedObjects: Sendable {
    private struct Reference {
        weak var object: (any AnyObject & Sendable)?
    }

    private let references = Mutex<[Reference]>([])

    func watch(_ objects: any AnyObject & Sendable...) {
        self.references.withLock { $0 += objects.map { Reference(object: $0) } }
    }

    /// Waits until none is left; records an issue if that never happens.
    func waitForAll(sourceLocation: SourceLocation = #_sourceLocation) async {
        await expectEventually("nothing holds what was watched", sourceLocation: sourceLocation) { self.areAll }
    }

    /// Whether some were watched, and none is left.
    var areAll: Bool { self.references.withLock { $0.allSatisfy { $0.object == nil } && !$0.isEmpty } }
}
