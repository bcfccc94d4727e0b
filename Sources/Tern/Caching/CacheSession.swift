// SPDX-License-Identifier: Apache-2.0
import Crypto
import Synchronization
import TernCacheStores
import TernConnections
import TernErrors
import TernTransport

/// The state that the cached calls of one client share: background revalidations, and calls that wait for an equal call.
final class CacheSession: Sendable {
    struct CollapseKey: Hashable {
        let key: CacheKey
        let selector: String
    }

    fileprivate enum JoinOutcome {
        case released, cancelled
        case timedOut(CallDeadline)
    }

    private struct State {
        var refreshes: [CacheKey: Task<Void, Never>] = [:]
        var isCancelled = false
        var waiting: [CollapseKey: [Suspension<JoinOutcome>]] = [:]
        var digestKey: SymmetricKey?
    }

    /// The maximum number of background revalidations at a time; beyond it, a stale response is returned without one.
    static let maximumRefreshCount = 8
    /// The time limit of a background revalidation without another limit, because no call waits for it.
    static let refreshLimit: Duration = .seconds(60)

    /// The digest key for a store without a key; only the same process finds what is stored with it.
    private static let processKey = SymmetricKey(size: .bits256)

    private let state = Mutex(State())

    // MARK: Digests

    /// Returns the key for digests of requests: the store's, once it has answered, or that of this process.
    func digestKey(of store: any CacheStore, for call: HTTPCall) async throws(ClientError) -> SymmetricKey {
        if let key = self.state.withLock({ $0.digestKey }) { return key }
        let key = try await call.asking(store, else: SymmetricKey?.none) { store throws(CacheStoreError) in
            try await store.digestKey().map { SymmetricKey(data: $0) } ?? Self.processKey
        }
        guard let key else { return Self.processKey }  // the next call asks again
        self.state.withLock { $0.digestKey = key }
        return key
    }

    // MARK: Background revalidation

    /// Revalidates a response in a separate task, unless one is running for the URL, or too many are.
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

    /// Cancels the background revalidations, and lets no more start.
    func cancel() {
        let tasks = self.state.withLock { state in
            state.isCancelled = true
            defer { state.refreshes = [:] }
            return Array(state.refreshes.values)
        }
        for task in tasks { task.cancel() }
    }

    // MARK: Collapsing

    /// Returns a lease for the first of several equal requests, or waits, as for a connection, until the first releases its lease,
    /// and returns `nil`.
    func join(_ collapseKey: CollapseKey, _ call: HTTPCall) async throws(ClientError) -> CollapseLease? {
        let suspension = Suspension<JoinOutcome>()
        let isFirst = self.state.withLock { state in
            guard state.waiting[collapseKey] != nil else {
                state.waiting[collapseKey] = []
                return true
            }
            state.waiting[collapseKey]?.append(suspension)
            return false
        }
        if isFirst { return CollapseLease(self, collapseKey) }
        let outcome = await suspension.wait(
            until: call.deadline(.connection, call.timeouts.connection),
            on: call.clock,
            onTimeout: { .timedOut($0) },
            onCancel: .cancelled
        )
        switch outcome {
        case .released: return nil
        case .timedOut(let deadline) where deadline.timeout == .connection: return nil
        case .timedOut(let deadline): throw deadline.error(call.context(.wait))
        case .cancelled: throw .cancelled(call.context(.wait))
        }
    }

    func leave(_ collapseKey: CollapseKey) {
        let waiting = self.state.withLock { $0.waiting.removeValue(forKey: collapseKey) ?? [] }
        for suspension in waiting { suspension.resume(with: .released) }
    }
}

/// A lease that the first of several equal requests holds; the others continue when it is released.
final class CollapseLease: Sendable {
    private let session: CacheSession
    private let collapseKey: CacheSession.CollapseKey

    init(_ session: CacheSession, _ collapseKey: CacheSession.CollapseKey) {
        self.session = session
        self.collapseKey = collapseKey
    }

    deinit { self.session.leave(self.collapseKey) }
}
