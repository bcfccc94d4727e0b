// SPDX-License-Identifier: Apache-2.0
import NIOCore
import Synchronization
import Tern
import TernCaching
import TestSupport
import Testing

/// A store of which one method does not return until the test releases it, even if its task is cancelled.
final class HangingStore: CacheStore {
    enum Method: CaseIterable, Sendable {
        case entries, body, makeWriter, append, commit, remove
    }

    let maximumBodyByteCount: Int64 = 1 << 20
    private let base = MemoryCacheStore()
    private let gate: Gate

    init(_ method: Method?) { self.gate = Gate(method) }

    /// Makes all further calls of a method hang.
    func hang(in method: Method) { self.gate.hang(in: method) }

    /// Waits until a call hangs.
    func waitForHang() async { await expectEventually("the store hangs") { self.hangCount > 0 } }

    /// The number of calls that hang.
    var hangCount: Int { self.gate.hangCount }

    /// Lets all calls that hang continue.
    func release() { self.gate.release() }

    func entries(for key: CacheKey) async throws(CacheStoreError) -> [CacheEntry] {
        await self.gate.pass(.entries)
        return try await self.base.entries(for: key)
    }

    func body(of entry: CacheEntry, for key: CacheKey) async throws(CacheStoreError) -> ResponseBody? {
        await self.gate.pass(.body)
        return try await self.base.body(of: entry, for: key)
    }

    func makeWriter(for key: CacheKey) async throws(CacheStoreError) -> any CacheWriter {
        await self.gate.pass(.makeWriter)
        return Writer(try await self.base.makeWriter(for: key), self.gate)
    }

    func update(_ entry: CacheEntry, for key: CacheKey) async throws(CacheStoreError) {
        try await self.base.update(entry, for: key)
    }

    func remove(_ key: CacheKey) async throws(CacheStoreError) {
        await self.gate.pass(.remove)
        try await self.base.remove(key)
    }

    func removeAll() async throws(CacheStoreError) { try await self.base.removeAll() }

    private final class Gate: Sendable {
        private struct State {
            var method: Method?
            var waiting: [CheckedContinuation<Void, Never>] = []
        }

        private let state: Mutex<State>

        init(_ method: Method?) { self.state = Mutex(State(method: method)) }

        var hangCount: Int { self.state.withLock { $0.waiting.count } }

        func hang(in method: Method) { self.state.withLock { $0.method = method } }

        func pass(_ method: Method) async {
            await withCheckedContinuation { (continuation: CheckedContinuation<Void, Never>) in
                let isHanging = self.state.withLock { state in
                    guard state.method == method else { return false }
                    state.waiting.append(continuation)
                    return true
                }
                if !isHanging { continuation.resume() }
            }
        }

        func release() {
            let waiting = self.state.withLock { state in
                state.method = nil
                defer { state.waiting = [] }
                return state.waiting
            }
            for continuation in waiting { continuation.resume() }
        }
    }

    private final class Writer: CacheWriter {
        private let base: any CacheWriter
        private let gate: Gate

        init(_ base: any CacheWriter, _ gate: Gate) {
            self.base = base
            self.gate = gate
        }

        func append(_ bytes: ByteBuffer) async throws(CacheStoreError) {
            await self.gate.pass(.append)
            try await self.base.append(bytes)
        }

        func commit(
            _ response: StoredResponse,
            replacing isReplaced: @escaping @Sendable (StoredResponse) -> Bool
        ) async throws(CacheStoreError) {
            await self.gate.pass(.commit)
            try await self.base.commit(response, replacing: isReplaced)
        }
    }
}
