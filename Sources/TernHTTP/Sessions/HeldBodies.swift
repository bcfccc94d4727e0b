// SPDX-License-Identifier: Apache-2.0
import Synchronization
import TernTransport

/// The body of a response, which has a connection until it was read.
protocol HeldBody: AnyObject, Sendable {
    /// Lets go of it, unless a task reads it at this moment.
    func discardUnlessRead()
}

/// Knows which calls have an unread body, and with it a connection, so that no call waits for itself.
///
/// An interceptor may ask `next` again and keep the reply before. With one connection to the host, the second exchange would
/// wait for the first, whose reader waits for the second.
final class HeldBodies: Sendable {
    private struct Reference: Sendable {
        let identifier: ObjectIdentifier
        weak var body: (any HeldBody)?
    }

    private let references = Mutex<[HTTPCall.Number: [Reference]]>([:])

    /// Notes a body of a call.
    func add(_ body: any HeldBody, of number: HTTPCall.Number) {
        let reference = Reference(identifier: ObjectIdentifier(body), body: body)
        self.references.withLock { $0[number, default: []].append(reference) }
    }

    /// Forgets a body that is being released.
    ///
    /// Loads no weak reference: that of another body could become its last one, whose release would come back here, within
    /// the lock.
    func remove(_ body: any HeldBody, of number: HTTPCall.Number) {
        let identifier = ObjectIdentifier(body)
        self.references.withLock { references in
            references[number]?.removeAll { $0.identifier == identifier }
            if references[number]?.isEmpty == true { references[number] = nil }
        }
    }

    /// Discards the bodies of a call, but for those that a task reads at this moment.
    func discard(of number: HTTPCall.Number) {
        let bodies = self.references.withLock { $0[number]?.compactMap(\.body) } ?? []
        for body in bodies { body.discardUnlessRead() }
    }
}
