// SPDX-License-Identifier: Apache-2.0
import TernCacheStores
import TernConnections
import TernErrors
import TernTransport

extension HTTPCall {
    /// Throws `ClientError.timedOut` if the call's time is used up, for example by a store, so that the client asks no server.
    func checkDeadline() throws(ClientError) {
        guard let deadline = self.deadline, self.clock.now >= deadline.instant else { return }
        throw deadline.error(self.context(.prepare))
    }

    /// Runs work on a store, and returns `fallback` when the store fails or the call's time is up; throws only `.cancelled`.
    @discardableResult
    func asking<Store: Sendable, Value: Sendable>(
        _ store: Store,
        in phase: ClientError.Phase = .prepare,
        else fallback: Value,
        _ work: @escaping @Sendable (Store) async throws(CacheStoreError) -> Value
    ) async throws(ClientError) -> Value {
        do throws(ClientError) {
            return try await Bounded.run(for: self, in: phase) {
                do throws(CacheStoreError) { return try await work(store) } catch { return fallback }
            }
        } catch {
            guard error.isCancellation else { return fallback }
            throw error
        }
    }
}
