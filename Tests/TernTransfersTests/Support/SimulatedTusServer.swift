// SPDX-License-Identifier: Apache-2.0
import HTTPTypes
import TernRequests
import TernTransfers
import TestSupport

/// A server of tus 1.0.0, which does what the protocol says.
struct SimulatedTusServer: SimulatedUploadServer {
    /// The request that is being received.
    private struct Reception {
        let index: Int
        let isCreation: Bool
        /// The hash of the content; with it, the server stores nothing before it has checked the whole content.
        let checksum: String?
        var checked: [UInt8] = []
    }

    var store: UploadStore
    let hasCreationWithUpload: Bool
    private var reception: Reception?

    init(_ store: UploadStore, using generator: inout SeededGenerator) {
        self.store = store
        self.hasCreationWithUpload = Bool.random(using: &generator)
    }

    private func response(_ status: Int, _ fields: HTTPFields = [:]) -> WireResponse {
        WireResponse(status: status, fields: Samples.merged([.tusResumable: "1.0.0"], fields))
    }

    mutating func begin(_ request: WireRequest, using generator: inout SeededGenerator) -> (WireResponse?, [HTTPFields])
    {
        self.reception = nil
        guard request.fields[.tusResumable] == "1.0.0" else { return (self.response(412), []) }
        if request.url == UploadSamples.targetText { return (self.create(request), []) }
        guard let index = self.store.index(request.url) else { return (self.response(404), []) }
        switch request.method {
        case .head:
            let offset = self.store[index].acknowledge()
            let length = self.store[index].length ?? 0
            return (self.response(200, [.uploadOffset: "\(offset)", .uploadLength: "\(length)"]), [])
        case .delete:
            self.store.forget(index)
            return (self.response(204), [])
        case .patch: return (self.append(request, to: index), [])
        default: return (self.response(405), [])
        }
    }

    private mutating func create(_ request: WireRequest) -> WireResponse? {
        guard let length = request.number(.uploadLength) else { return self.response(400) }
        let index = self.store.create(length: length)
        if length == 0 { self.store.complete(index) }
        let isRead = self.hasCreationWithUpload && request.byteCount > 0
        guard isRead else { return self.response(201, [.location: self.store.url(index)]) }
        self.reception = Reception(index: index, isCreation: true, checksum: nil)
        return nil
    }

    private mutating func append(_ request: WireRequest, to index: Int) -> WireResponse? {
        guard request.fields[.contentType] == "application/offset+octet-stream" else { return self.response(415) }
        guard request.number(.uploadOffset) == self.store[index].content.count else { return self.response(409) }
        self.reception = Reception(index: index, isCreation: false, checksum: request.fields[.uploadChecksum])
        return nil
    }

    mutating func receive(_ bytes: ArraySlice<UInt8>, using generator: inout SeededGenerator) -> [HTTPFields] {
        guard let reception = self.reception else { return [] }
        if reception.checksum == nil {
            self.store(bytes, in: reception.index)
        } else {
            // Some bytes change on their way.
            let isDamaged = Int.random(in: 0..<40, using: &generator) == 0
            self.reception?.checked += isDamaged ? bytes.map { $0 ^ 1 } : Array(bytes)
        }
        return []
    }

    /// Stores bytes.
    ///
    /// The upload is complete with its last byte, whatever happens to the connection.
    private mutating func store(_ bytes: some Collection<UInt8>, in index: Int) {
        self.store.append(bytes, to: index)
        guard self.store[index].content.count == self.store[index].length, !self.store[index].isComplete else { return }
        self.store.complete(index)
    }

    mutating func end(using generator: inout SeededGenerator) -> WireResponse {
        guard let reception = self.reception else { return self.response(500) }
        self.reception = nil
        if let checksum = reception.checksum {
            var hasher = UploadPartHasher(.sha1)
            reception.checked.withUnsafeBytes { hasher.update($0) }
            guard hasher.fieldValue == checksum else { return self.response(460) }
            self.store(reception.checked, in: reception.index)
        }
        let isComplete = self.store[reception.index].isComplete
        let offset = self.store[reception.index].acknowledge()
        if isComplete, Int.random(in: 0..<8, using: &generator) == 0 { self.store.forget(reception.index) }
        let location: HTTPFields = reception.isCreation ? [.location: self.store.url(reception.index)] : [:]
        return self.response(
            reception.isCreation ? 201 : 204,
            Samples.merged([.uploadOffset: "\(offset)"], location)
        )
    }

    mutating func disconnect() { self.reception = nil }
}
