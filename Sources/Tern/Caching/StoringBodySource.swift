// SPDX-License-Identifier: Apache-2.0
import NIOCore
import Synchronization
import TernCaching
import TernErrors
import TernTransport

/// A body that is stored while it is read; who stops before its end, or cannot read it to its end, stores nothing.
final class StoringBodySource: ResponseBodySource {
    private typealias Storage = (writer: any CacheWriter, ticket: CacheTicket?)

    private enum State {
        /// It is stored. The ticket holds those who wait for the stored response.
        case storing(Storage)
        /// Somebody reads a piece, and stores it.
        case writing
        /// It is only read: it is too long, the store failed, or all is done.
        case passing
    }

    let length: Int64?

    private let body: ResponseBody
    private let response: StoredResponse
    private let limit: Int64
    private let call: Call
    /// Whether it is read only to be stored.
    private let isForStoreAlone: Bool
    private let selector: CacheSelector
    private let state: Mutex<State>
    private let storedByteCount = Mutex<Int64>(0)

    init(
        _ body: ResponseBody,
        _ response: StoredResponse,
        _ writer: any CacheWriter,
        replacing selector: CacheSelector,
        limit: Int64,
        _ ticket: CacheTicket?,
        for call: Call,
        isForStoreAlone: Bool
    ) {
        self.length = body.length
        self.body = body
        self.response = response
        self.limit = limit
        self.call = call
        self.selector = selector
        self.isForStoreAlone = isForStoreAlone
        self.state = Mutex(.storing((writer, ticket)))
    }

    func next(atLeast byteCount: Int) async throws(ClientError) -> ByteBuffer? {
        let storage = self.enter()
        if storage == nil, self.isForStoreAlone { throw .cancelled(self.call.context(.body)) }
        var reader = self.body.makeReader()
        do throws(ClientError) {
            guard let bytes = try await reader.next(atLeast: byteCount) else {
                if let storage { try await self.commit(storage) }
                return nil
            }
            if let storage { try await self.store(bytes, storage) }
            return bytes
        } catch {
            self.state.withLock { $0 = .passing }
            throw error
        }
    }

    /// What to store the next piece with; `nil` if it is only read.
    ///
    /// Two tasks that read at once are a mistake of theirs, but what is stored would not be in order: nothing is then.
    private func enter() -> Storage? {
        self.state.withLock { state in
            guard case .storing(let storage) = state else {
                state = .passing
                return nil
            }
            state = .writing
            return storage
        }
    }

    /// The piece is done.
    ///
    /// - Parameter next: what to go on as; it does not, if somebody else read meanwhile.
    /// - Returns: whether it goes on.
    @discardableResult
    private func leave(_ next: State) -> Bool {
        self.state.withLock { state in
            guard case .writing = state else { return false }
            state = next
            return true
        }
    }

    private func store(_ bytes: ByteBuffer, _ storage: Storage) async throws(ClientError) {
        let count = self.storedByteCount.withLock { count in
            count += Int64(bytes.readableBytes)
            return count
        }
        guard count <= self.limit else {
            self.leave(.passing)
            return
        }
        let isStored = try await self.call.asking(storage.writer, in: .body, else: false) {
            writer throws(CacheStoreFailure) in
            try await writer.append(bytes)
            return true
        }
        self.leave(isStored ? .storing(storage) : .passing)
    }

    private func commit(_ storage: Storage) async throws(ClientError) {
        guard self.leave(.passing) else { return }
        let (response, selector) = (self.response, self.selector)
        try await self.call.asking(storage.writer, in: .body, else: ()) { writer throws(CacheStoreFailure) in
            try await writer.commit(response, replacing: { selector.matches($0) })
        }
        withExtendedLifetime(storage.ticket) {}
    }
}
