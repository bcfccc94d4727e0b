// SPDX-License-Identifier: Apache-2.0
import NIOCore
import Synchronization
import TernCaching
import TernErrors
import TernTransport

/// A body that is stored while it is read; who stops before its end, or cannot read it to its end, stores nothing.
final class StoringBodySource: ResponseBodySource {
    private enum State {
        /// It is stored. The ticket holds those who wait for the stored response.
        case storing(any CacheWriter, CacheTicket?)
        /// It is only read: it is too long, the store failed, or all is done.
        case passing
    }

    let length: Int64?

    private let body: ResponseBody
    private let response: StoredResponse
    private let limit: Int64
    private let state: Mutex<State>
    private let storedByteCount = Mutex<Int64>(0)

    init(
        _ body: ResponseBody,
        _ response: StoredResponse,
        _ writer: any CacheWriter,
        limit: Int64,
        _ ticket: CacheTicket?
    ) {
        self.length = body.length
        self.body = body
        self.response = response
        self.limit = limit
        self.state = Mutex(.storing(writer, ticket))
    }

    func next(atLeast byteCount: Int) async throws(ClientError) -> ByteBuffer? {
        var reader = self.body.makeReader()
        do throws(ClientError) {
            guard let bytes = try await reader.next(atLeast: byteCount) else {
                await self.commit()
                return nil
            }
            await self.store(bytes)
            return bytes
        } catch {
            // Two tasks that read at once are a mistake of theirs, but what is stored would not be in order.
            self.leave()
            throw error
        }
    }

    private func store(_ bytes: ByteBuffer) async {
        guard case .storing(let writer, _) = self.state.withLock({ $0 }) else { return }
        let count = self.storedByteCount.withLock { count in
            count += Int64(bytes.readableBytes)
            return count
        }
        do throws(CacheStoreFailure) {
            guard count <= self.limit else { throw .tooLarge }
            try await writer.append(bytes)
        } catch {
            self.leave()
        }
    }

    private func commit() async {
        let state = self.leave()
        guard case .storing(let writer, let ticket) = state else { return }
        try? await writer.commit(self.response)
        withExtendedLifetime(ticket) {}
    }

    /// Stores nothing more; the writer goes with what is returned.
    @discardableResult
    private func leave() -> State {
        self.state.withLock { state in
            defer { state = .passing }
            return state
        }
    }
}
