// SPDX-License-Identifier: Apache-2.0
import Synchronization
import TernTransport

protocol HeldBody: AnyObject, Sendable {
    func discardUnlessRead()
}

/// Tracks the unread bodies of each call, so that no call waits for a connection that it holds itself.
///
/// An interceptor may ask `next` again while it keeps the previous reply. If only one connection is allowed, the second exchange
/// would wait for the first, whose body the interceptor reads only after the second.
final class HeldBodies: Sendable {
    private struct Reference: Sendable {
        let identifier: ObjectIdentifier
        weak var body: (any HeldBody)?
    }

    private let references = Mutex<[HTTPCall.Number: [Reference]]>([:])

    func add(_ body: any HeldBody, of number: HTTPCall.Number) {
        let reference = Reference(identifier: ObjectIdentifier(body), body: body)
        self.references.withLock { $0[number, default: []].append(reference) }
    }

    /// Removes a body that is being released, without loading weak references: a loaded one might become the last reference to
    /// another body, whose release would call this method again, inside the lock.
    func remove(_ body: any HeldBody, of number: HTTPCall.Number) {
        let identifier = ObjectIdentifier(body)
        self.references.withLock { references in
            references[number]?.removeAll { $0.identifier == identifier }
            if references[number]?.isEmpty == true { references[number] = nil }
        }
    }

    func discard(of number: HTTPCall.Number) {
        let bodies = self.references.withLock { $0[number]?.compactMap(\.body) } ?? []
        for body in bodies { body.discardUnlessRead() }
    }
}
