// SPDX-License-Identifier: Apache-2.0
import HTTPTypes
import TernTransfers
import TestSupport

/// A server of the IETF's draft, in one of its interop versions, which does what the draft says.
struct SimulatedDraftServer: SimulatedUploadServer {
    /// The request that is being received.
    private struct Reception {
        /// The upload; `nil` for a plain upload.
        let index: Int?
        let isCreation: Bool
        let completes: Bool
        let byteCount: Int
        var plain: [UInt8] = []
    }

    var store: UploadStore
    let version: UploadProtocol.InteropVersion
    /// Whether the server offers to continue uploads.
    let isSupported: Bool
    /// Whether the server can send informational responses.
    let sendsNotices: Bool
    let maximumPartByteCount: Int?
    private var reception: Reception?

    init(_ version: UploadProtocol.InteropVersion, _ store: UploadStore, using generator: inout SeededGenerator) {
        (self.version, self.store) = (version, store)
        self.isSupported = Int.random(in: 0..<10, using: &generator) > 0
        self.sendsNotices = Int.random(in: 0..<10, using: &generator) > 0
        self.maximumPartByteCount =
            Int.random(in: 0..<4, using: &generator) == 0 ? Int.random(in: 20...200, using: &generator) : nil
    }

    private var fields: HTTPFields { [.uploadDraftInteropVersion: String(self.version.rawValue)] }

    private var limits: HTTPFields { self.maximumPartByteCount.map { [.uploadLimit: "max-append-size=\($0)"] } ?? [:] }

    private func response(_ status: Int, _ fields: HTTPFields = [:], _ problem: UploadProblem? = nil) -> WireResponse {
        WireResponse(status: status, fields: Samples.merged(self.fields, fields), problem: problem)
    }

    /// Returns the state of an upload, and acknowledges its bytes.
    private mutating func state(_ index: Int) -> HTTPFields {
        let isComplete = self.store[index].isComplete
        return [.uploadOffset: "\(self.store[index].acknowledge())", .uploadComplete: isComplete ? "?1" : "?0"]
    }

    mutating func begin(_ request: WireRequest, using generator: inout SeededGenerator) -> (WireResponse?, [HTTPFields])
    {
        self.reception = nil
        if request.url == UploadSamples.targetText { return (nil, self.create(request)) }
        guard let index = self.store.index(request.url) else { return (self.response(404), []) }
        switch request.method {
        case .head:
            var fields = Samples.merged(self.state(index), self.limits)
            if let length = self.store[index].length { fields[.uploadLength] = String(length) }
            return (self.response(204, fields), [])
        case .delete:
            self.store.forget(index)
            return (self.response(204), [])
        case .patch: return (self.append(request, to: index), [])
        default: return (self.response(405), [])
        }
    }

    private mutating func create(_ request: WireRequest) -> [HTTPFields] {
        let completes = request.fields[.uploadComplete] == "?1"
        guard self.isSupported, request.number(.uploadDraftInteropVersion) == self.version.rawValue else {
            self.reception = Reception(index: nil, isCreation: true, completes: true, byteCount: request.byteCount)
            return []
        }
        let index = self.store.create(length: request.number(.uploadLength))
        self.reception = Reception(
            index: index,
            isCreation: true,
            completes: completes,
            byteCount: request.byteCount
        )
        guard self.sendsNotices else { return [] }
        return [Samples.merged(self.fields, self.limits, [.location: self.store.url(index)])]
    }

    private mutating func append(_ request: WireRequest, to index: Int) -> WireResponse? {
        guard request.fields[.contentType] == "application/partial-upload",
            let offset = request.number(.uploadOffset), let complete = request.fields[.uploadComplete]
        else { return self.response(400) }
        if self.store[index].isComplete {
            let problem: UploadProblem = request.byteCount == 0 ? .completed : .inconsistentLength
            return self.response(400, [:], problem)
        }
        guard offset == self.store[index].content.count else {
            return self.response(409, self.state(index), .mismatchingOffset(expected: nil, provided: nil))
        }
        if let maximum = self.maximumPartByteCount, request.byteCount > maximum {
            return self.response(413, self.limits)
        }
        self.reception = Reception(
            index: index,
            isCreation: false,
            completes: complete == "?1",
            byteCount: request.byteCount
        )
        return nil
    }

    mutating func receive(_ bytes: ArraySlice<UInt8>, using generator: inout SeededGenerator) -> [HTTPFields] {
        guard let index = self.reception?.index else {
            self.reception?.plain += bytes
            return []
        }
        self.store.append(bytes, to: index)
        guard self.sendsNotices, Int.random(in: 0..<3, using: &generator) == 0 else { return [] }
        return [Samples.merged(self.fields, [.uploadOffset: "\(self.store[index].acknowledge())"])]
    }

    mutating func end(using generator: inout SeededGenerator) -> WireResponse {
        guard let reception = self.reception else { return self.response(500) }
        self.reception = nil
        guard let index = reception.index else {
            self.store.process(reception.plain)
            return WireResponse(status: 201, fields: [.location: "/files/1"])
        }
        guard reception.completes else {
            let location: HTTPFields = reception.isCreation ? [.location: self.store.url(index)] : [:]
            var state = self.state(index)
            if self.version == .eight { state[.uploadOffset] = nil }
            return self.response(201, Samples.merged(state, location, self.limits))
        }
        self.store.complete(index)
        // A server may clean up an upload as soon as it is complete (§4).
        let offset = self.store[index].content.count
        if Int.random(in: 0..<8, using: &generator) == 0 { self.store.forget(index) }
        return self.version == .eight
            ? self.response(200, [.uploadComplete: "?1"]) : self.response(201, [.uploadOffset: "\(offset)"])
    }

    mutating func disconnect() { self.reception = nil }
}
