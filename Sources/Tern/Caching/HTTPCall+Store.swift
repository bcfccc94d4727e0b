// SPDX-License-Identifier: Apache-2.0
import TernCacheStores
import TernConnections
import TernErrors
import TernTransport

extension HTTPCall {
    /// Throws `ClientError.timedOut` if the store has used up the call's time, so that the client does not ask the
    /// server.
    func checkDeadline() throws(ClientError) {
        guard let deadline = self.deadline, self.clock.now >= deadline.instant else { return }
        throw deadline.error(self.context(.prepare))
    }

    /// Runs work on a store within the time that the call has left.
    ///
    /// A custom store may be slow. When the call's time is up, this method stops waiting and returns `fallback`.
    ///
    /// - Parameters:
    ///   - store: The store or its writer.
    ///   - phase: The phase for the context of an error. Defaults to `.prepare`.
    ///   - fallback: The value to return when the store fails or is too slow.
    ///   - work: The work to run.
    /// - Returns: The result of the work, or `fallback`.
    /// - Throws: Only `ClientError.cancelled`, when the task is cancelled.
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
