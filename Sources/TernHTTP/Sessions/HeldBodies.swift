// SPDX-License-Identifier: Apache-2.0
import Synchronization
import TernTransport

/// The body of a response that holds a connection until a task has read the body.
protocol HeldBody: AnyObject, Sendable {
    /// Discards the body, unless a task is reading it at this moment.
    func discardUnlessRead()
}

/// Tracks the unread bodies of each call, so that no call waits for a connection that it holds itself.
///
/// An interceptor may ask `next` again while it keeps the previous reply. If only one connection to the host is
/// allowed, the second exchange would wait for the connection of the first. The first exchange would never end, because
/// the interceptor reads its body only after the second exchange.
final class HeldBodies: Sendable {
    private struct Reference: Sendable {
        let identifier: ObjectIdentifier
        weak var body: (any HeldBody)?
    }

    private let references = Mutex<[HTTPCall.Number: [Reference]]>([:])

    /// Registers a body of a call.
    func add(_ body: any HeldBody, of number: HTTPCall.Number) {
        let reference = Reference(identifier: ObjectIdentifier(body), body: body)
        self.references.withLock { $0[number, default: []].append(reference) }
    }

    /// Removes a body that is being released.
    ///
    /// This method does not load the weak references. A loaded reference might become the last reference to another
    /// body. Its release would then call this method again, inside the lock.
    func remove(_ body: any HeldBody, of number: HTTPCall.Number) {
        let identifier = ObjectIdentifier(body)
        self.references.withLock { references in
            references[number]?.removeAll { $0.identifier == identifier }
            if references[number]?.isEmpty == true { references[number] = nil }
        }
    }

    /// Discards the bodies of a call, except those that a task is reading at this moment.
    func discard(of number: HTTPCall.Number) {
        let bodies = self.references.withLock { $0[number]?.compactMap(\.body) } ?? []
        for body in bodies { body.discardUnlessRead() }
    }
}
