// SPDX-License-Identifier: Apache-2.0
import NIOCore
import TernCacheStores
import TernCaching
import TernErrors
@_spi(CrossModuleInlining) import TernTransport

/// Stores a body while the caller reads it, unless the caller stops before its end.
final class StoringBodySource: ResponseBodySource {
    private typealias Storage = (writer: any CacheWriter, ticket: CollapseLease?)

    private struct Progress: ~Copyable {
        var reader: ResponseBody.Reader
        /// The writer and the lease; `nil` once storing has ended because the body is too long or the store failed.
        var storage: Storage?
        var storedByteCount: Int64 = 0
    }

    let length: Int64?

    private let body: ResponseBody
    private let response: StoredResponse
    private let limit: Int64
    private let call: HTTPCall
    /// Whether this is a background revalidation, so that the body is read only to store it.
    private let isForStoreAlone: Bool
    private let selector: CacheSelector
    private let turn: ReadTurn<Progress>

    init(
        _ body: ResponseBody,
        _ response: StoredResponse,
        _ writer: any CacheWriter,
        replacing selector: CacheSelector,
        limit: Int64,
        _ ticket: CollapseLease?,
        for call: HTTPCall,
        isForStoreAlone: Bool
    ) {
        self.length = body.length
        self.body = body
        self.response = response
        self.limit = limit
        self.call = call
        self.selector = selector
        self.isForStoreAlone = isForStoreAlone
        self.turn = ReadTurn(Progress(reader: body.makeReader(), storage: (writer, ticket)))
    }

    func next(atLeast byteCount: Int) async throws(ClientError) -> ByteBuffer? {
        guard let progress = try self.turn.take(self.call) else { return nil }
        return try await self.advance(progress, atLeast: byteCount)
    }

    private func advance(
        _ progress: consuming Progress,
        atLeast byteCount: Int
    ) async throws(ClientError) -> ByteBuffer? {
        do throws(ClientError) {
            if progress.storage == nil, self.isForStoreAlone { throw .cancelled(self.call.context(.body)) }
            guard let bytes = try await progress.reader.next(atLeast: byteCount) else {
                if let storage = progress.storage { try await self.commit(storage) }
                self.turn.end()
                return nil
            }
            try await self.store(bytes, &progress)
            self.turn.giveBack(progress)
            return bytes
        } catch {
            self.turn.end()
            self.body.discard()
            throw error
        }
    }

    func discard() {
        _ = self.turn.discard()
        self.body.discard()
    }

    private func store(_ bytes: ByteBuffer, _ progress: inout Progress) async throws(ClientError) {
        guard let storage = progress.storage else { return }
        progress.storedByteCount += Int64(bytes.readableBytes)
        guard progress.storedByteCount <= self.limit else {
            progress.storage = nil
            return
        }
        let isStored = try await self.call.asking(storage.writer, in: .body, else: false) {
            writer throws(CacheStoreError) in
            try await writer.append(bytes)
            return true
        }
        if !isStored { progress.storage = nil }
    }

    private func commit(_ storage: Storage) async throws(ClientError) {
        let (response, selector) = (self.response, self.selector)
        try await self.call.asking(storage.writer, in: .body, else: ()) { writer throws(CacheStoreError) in
            try await writer.commit(response, replacing: { selector.matches($0) })
        }
        withExtendedLifetime(storage.ticket) {}
    }
}
