// SPDX-License-Identifier: Apache-2.0
import Synchronization
import TernErrors
import TernTransport

/// What the cached calls of one client share: validations in the background, and who waits for whom.
final class CacheSession: Sendable {
    private struct State {
        var refreshes: [CacheKey: Task<Void, Never>] = [:]
        var isCancelled = false
        var waiting: [CacheKey: [Suspension<Bool>]] = [:]
    }

    /// How many validations go on in the background at once; a stale response that finds no place is used all the same.
    static let maximumRefreshCount = 8

    private let state = Mutex(State())

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

    /// Goes first, or waits for the one who does.
    ///
    /// - Returns: a ticket for who goes first, which holds the others until it is released; `nil` after a wait.
    /// - Throws: `ClientError.cancelled` or `ClientError.timedOut`.
    func join(_ key: CacheKey, _ call: Call) async throws(ClientError) -> CacheTicket? {
        let suspension = Suspension<Bool>()
        let isFirst = self.state.withLock { state in
            guard state.waiting[key] != nil else {
                state.waiting[key] = []
                return true
            }
            state.waiting[key]?.append(suspension)
            return false
        }
        if isFirst { return CacheTicket(self, key) }
        let timer = call.deadline.map { deadline in
            call.clock.schedule(at: deadline.instant) { suspension.resume(with: false) }
        }
        defer { timer?.cancel() }
        if await suspension.wait(onCancel: false) { return nil }
        if let deadline = call.deadline, !Task.isCancelled {
            throw .timedOut(deadline.timeout, limit: deadline.limit, call.context(.wait))
        }
        throw .cancelled(call.context(.wait))
    }

    fileprivate func leave(_ key: CacheKey) {
        let waiting = self.state.withLock { $0.waiting.removeValue(forKey: key) ?? [] }
        for suspension in waiting { suspension.resume(with: true) }
    }
}

/// Held by the request that others wait for; released, it lets them go on.
final class CacheTicket: Sendable {
    private let session: CacheSession
    private let key: CacheKey

    fileprivate init(_ session: CacheSession, _ key: CacheKey) {
        self.session = session
        self.key = key
    }

    deinit { self.session.leave(self.key) }
}
