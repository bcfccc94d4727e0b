// SPDX-License-Identifier: Apache-2.0
import Synchronization

/// An owner of idle connections, such as a pool.
package protocol IdleConnectionOwner: AnyObject, Sendable {
    /// Closes the connection that has been idle longest, and waits until its descriptor is free; returns `false` if none is idle.
    func closeIdleConnection() async -> Bool
}

/// The idle connections of all clients of a process, which are closed before a call fails for want of a descriptor.
package final class IdleConnections: Sendable {
    package static let process = IdleConnections()

    private struct Reference {
        weak var owner: (any IdleConnectionOwner)?
    }

    private let references = Mutex<[Reference]>([])

    package init() {}

    /// Adds an owner, which the list does not retain.
    package func add(_ owner: any IdleConnectionOwner) {
        self.references.withLock { references in
            references.removeAll { $0.owner == nil }
            references.append(Reference(owner: owner))
        }
    }

    /// Closes an idle connection, preferably of this owner; returns `false` if no connection is idle.
    package func closeOne(of preferred: (any IdleConnectionOwner)? = nil) async -> Bool {
        if let preferred, await preferred.closeIdleConnection() { return true }
        // The owners are released outside of the lock, because their release may close connections.
        let owners = self.references.withLock { $0.compactMap(\.owner) }
        for owner in owners where owner !== preferred {
            if await owner.closeIdleConnection() { return true }
        }
        return false
    }

    /// Opens a descriptor; as long as `isShortage` finds that no descriptor is free, closes an idle connection and tries again.
    package func opening<Value, Failure: Error>(
        preferring preferred: (any IdleConnectionOwner)? = nil,
        whileShort isShortage: (Failure) -> Bool,
        _ open: () async throws(Failure) -> Value
    ) async throws(Failure) -> Value {
        while true {
            do throws(Failure) {
                return try await open()
            } catch {
                guard isShortage(error), await self.closeOne(of: preferred) else { throw error }
            }
        }
    }
}

package protocol DescriptorConnector: Connector {}
