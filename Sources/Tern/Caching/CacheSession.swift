// SPDX-License-Identifier: Apache-2.0
import Crypto
import Synchronization
import TernCacheStores
import TernConnections
import TernErrors
import TernTransport

/// What the cached calls of one client share: validations in the background, and which calls wait for which.
final class CacheSession: Sendable {
    /// What equal requests have in common.
    struct Joint: Hashable {
        let key: CacheKey
        let selector: String
    }

    /// Why a wait is over.
    fileprivate enum Waking {
        case released, cancelled
        case late(CallDeadline)
    }

    private struct State {
        var refreshes: [CacheKey: Task<Void, Never>] = [:]
        var isCancelled = false
        var waiting: [Joint: [Suspension<Waking>]] = [:]
        var digestKey: SymmetricKey?
    }

    /// How many validations go on in the background at once; a stale response that finds no place is used all the same.
    static let maximumRefreshCount = 8
    /// How long a validation in the background may take, where the call has no limit of its own; no call waits for it.
    static let refreshLimit: Duration = .seconds(60)

    /// What digests are made with for a store that has no key: what is kept with them is found as long as the process lasts.
    private static let processKey = SymmetricKey(size: .bits256)

    private let state = Mutex(State())

    // MARK: Digests

    /// What digests of requests are made with; the store is asked once.
    ///
    /// - Throws: `ClientError.cancelled`, and nothing else: without the store's key, nothing is found that it keeps.
    func digestKey(of store: any CacheStore, for call: HTTPCall) async throws(ClientError) -> SymmetricKey {
        if let key = self.state.withLock({ $0.digestKey }) { return key }
        let key = try await call.asking(store, else: SymmetricKey?.none) { store throws(CacheStoreError) in
            try await store.digestKey().map { SymmetricKey(data: $0) } ?? Self.processKey
        }
        guard let key else { return Self.processKey }  // asked again by the next call
        self.state.withLock { $0.digestKey = key }
        return key
    }

    // MARK: Background

    /// Validates in a task of its own, one for each URL.
    func refresh(_ key: CacheKey, _ work: @escaping @Sendable () async -> Void) {
        self.state.withLock { state in
            guard !state.isCancelled, state.refreshes[key] == nil,
                state.refreshes.count < Self.maximumRefreshCount
            else { return }
            state.refreshes[key] = Task { [weak self] in
                await work()
                self?.state.withLock { $0.refreshes[key] = nil }
            }
        }
    }

    /// Ends what goes on in the background, for good.
    func cancel() {
        let tasks = self.state.withLock { state in
            state.isCancelled = true
            defer { state.refreshes = [:] }
            return Array(state.refreshes.values)
        }
        for task in tasks { task.cancel() }
    }

    // MARK: Collapsing

    /// Goes first, or waits for the one who does, as long as for a connection.
    ///
    /// - Returns: a ticket for who goes first, which holds the others until it is released; `nil` after a wait.
    /// - Throws: `ClientError.cancelled` or `ClientError.timedOut`.
    func join(_ joint: Joint, _ call: HTTPCall) async throws(ClientError) -> CacheTicket? {
        let suspension = Suspension<Waking>()
        let isFirst = self.state.withLock { state in
            guard state.waiting[joint] != nil else {
                state.waiting[joint] = []
                return true
            }
            state.waiting[joint]?.append(suspension)
            return false
        }
        if isFirst { return CacheTicket(self, joint) }
        let outcome = await suspension.wait(
            until: call.deadline(.connection, call.timeouts.connection),
            on: call.clock,
            late: { .late($0) },
            onCancel: .cancelled
        )
        switch outcome {
        case .released: return nil
        case .late(let deadline) where deadline.timeout == .connection: return nil
        case .late(let deadline): throw deadline.error(call.context(.wait))
        case .cancelled: throw .cancelled(call.context(.wait))
        }
    }

    func leave(_ joint: Joint) {
        let waiting = self.state.withLock { $0.waiting.removeValue(forKey: joint) ?? [] }
        for suspension in waiting { suspension.resume(with: .released) }
    }
}

/// Held by the request that others wait for; released, it lets them go on.
final class CacheTicket: Sendable {
    private let session: CacheSession
    private let joint: CacheSession.Joint

    init(_ session: CacheSession, _ joint: CacheSession.Joint) {
        self.session = session
        self.joint = joint
    }

    deinit { self.session.leave(self.joint) }
}
