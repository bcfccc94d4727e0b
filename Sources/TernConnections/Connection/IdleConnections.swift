// SPDX-License-Identifier: Apache-2.0
import Synchronization

/// An owner of idle connections, such as a pool.
package protocol IdleConnectionOwner: AnyObject, Sendable {
    /// Closes the connection that has been idle longest, and waits until the system has released its descriptor.
    ///
    /// - Returns: `false` if no connection is idle.
    func closeIdleConnection() async -> Bool
}

/// The idle connections of a process, which give their descriptors to whatever needs one.
///
/// An idle connection only saves time. So if no descriptor is free, the client closes idle connections before a call
/// fails, also those of other clients in the process.
package final class IdleConnections: Sendable {
    /// The idle connections of all clients of the process.
    package static let process = IdleConnections()

    private struct Reference {
        weak var owner: (any IdleConnectionOwner)?
    }

    private let references = Mutex<[Reference]>([])

    /// Creates an empty list.
    package init() {}

    /// Adds an owner, which the list does not retain.
    package func add(_ owner: any IdleConnectionOwner) {
        self.references.withLock { references in
            references.removeAll { $0.owner == nil }
            references.append(Reference(owner: owner))
        }
    }

    /// Closes an idle connection.
    ///
    /// - Parameter preferred: The owner to ask first. Defaults to `nil`.
    /// - Returns: `false` if no connection is idle.
    package func closeOne(of preferred: (any IdleConnectionOwner)? = nil) async -> Bool {
        if let preferred, await preferred.closeIdleConnection() { return true }
        // The owners are released outside of the lock, because their release may close connections.
        let owners = self.references.withLock { $0.compactMap(\.owner) }
        for owner in owners where owner !== preferred {
            if await owner.closeIdleConnection() { return true }
        }
        return false
    }

    /// Opens a descriptor, and closes idle connections as long as none is free.
    ///
    /// - Parameters:
    ///   - preferred: The owner to ask first. Defaults to `nil`.
    ///   - isShortage: Returns whether a failure means that no descriptor is free.
    ///   - open: Opens the descriptor.
    /// - Returns: The result of `open`.
    /// - Throws: The last error of `open`.
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

/// A connector whose connections have descriptors of the process.
package protocol DescriptorConnector: Connector {}
