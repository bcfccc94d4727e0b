// SPDX-License-Identifier: Apache-2.0
import TernCacheStores
import TernConnections
import TernErrors
import TernTransport

extension HTTPCall {
    /// A store that has used up the call's time leaves none for the server.
    func checkDeadline() throws(ClientError) {
        guard let deadline = self.deadline, self.clock.now >= deadline.instant else { return }
        throw deadline.error(self.context(.prepare))
    }

    /// Asks a store, which may be anybody's and take its time, for no longer than the call has.
    ///
    /// - Parameters:
    ///   - store: what to ask.
    ///   - phase: the step of the call; its preparation by default.
    ///   - fallback: what counts if the store fails, or is too slow.
    ///   - work: what to ask of it.
    /// - Returns: the answer.
    /// - Throws: `ClientError.cancelled`, and nothing else.
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
