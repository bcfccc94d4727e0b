// SPDX-License-Identifier: Apache-2.0
import HTTPTypes
import TernTransfers
import TestSupport
import Testing

/// The uploads of a simulated server, and the files that its resource has processed.
///
/// Bytes that arrived are in memory. A restart of the server loses those that it has not acknowledged.
struct UploadStore {
    /// One upload.
    struct Upload {
        var content: [UInt8] = []
        /// The number of bytes that the server has acknowledged, and keeps.
        var acknowledged = 0
        var length: Int?
        var isComplete = false
        /// Whether the server has forgotten the upload.
        var isGone = false

        /// Acknowledges all bytes that have arrived; returns their number.
        mutating func acknowledge() -> Int {
            self.acknowledged = self.content.count
            return self.content.count
        }
    }

    /// The file that the client sends, to check each byte as it arrives.
    let file: [UInt8]
    /// The beginning of the URLs.
    let prefix: String
    private(set) var processed: [[UInt8]] = []
    private var uploads: [Upload] = []

    init(_ file: [UInt8], prefix: String) { (self.file, self.prefix) = (file, prefix) }

    /// Creates an upload; returns its number.
    mutating func create(length: Int?) -> Int {
        self.uploads.append(Upload(length: length))
        return self.uploads.count - 1
    }

    /// Returns the URL of an upload.
    func url(_ index: Int) -> String { "\(self.prefix)\(index)" }

    /// Returns the number of the upload with a URL, which may be that of a redirect.
    func index(_ url: String) -> Int? {
        guard let index = url.split(separator: "/").last.flatMap({ Int($0) }), self.uploads.indices.contains(index),
            !self.uploads[index].isGone
        else { return nil }
        return index
    }

    subscript(_ index: Int) -> Upload {
        get { self.uploads[index] }
        set { self.uploads[index] = newValue }
    }

    /// Appends bytes, which must be those of the file at this offset.
    mutating func append(_ bytes: some Collection<UInt8>, to index: Int) {
        let offset = self.uploads[index].content.count
        #expect(
            offset + bytes.count <= self.file.count
                && self.file[offset..<(offset + bytes.count)].elementsEqual(bytes),
            "bytes in a wrong place, at \(offset)"
        )
        self.uploads[index].content += bytes
    }

    /// Completes an upload: the resource processes the file.
    mutating func complete(_ index: Int) {
        self.uploads[index].isComplete = true
        self.process(self.uploads[index].content)
        self.uploads[index].acknowledged = self.uploads[index].content.count
    }

    /// Lets the resource process a file.
    mutating func process(_ content: [UInt8]) { self.processed.append(content) }

    /// Forgets an upload.
    mutating func forget(_ index: Int) { self.uploads[index].isGone = true }

    /// Loses bytes that were not acknowledged, and now and then all uploads.
    mutating func restart(using generator: inout SeededGenerator) {
        let losesAll = Int.random(in: 0..<6, using: &generator) == 0
        for index in self.uploads.indices {
            let upload = self.uploads[index]
            let count = Int.random(in: upload.acknowledged...upload.content.count, using: &generator)
            self.uploads[index].content = Array(upload.content.prefix(count))
            self.uploads[index].isGone = upload.isGone || losesAll
        }
    }

    /// Checks that a record says nothing that is not true.
    func check(_ record: UploadRecord, _ note: String) {
        guard let index = self.index(record.url.text) else { return }
        #expect(record.acknowledgedByteCount <= Int64(self.uploads[index].acknowledged), "\(note)")
    }
}

/// A request as it arrives at a simulated server.
struct WireRequest {
    let method: HTTPRequest.Method
    let url: String
    let fields: HTTPFields
    let byteCount: Int

    /// Returns a field as a number.
    func number(_ name: HTTPField.Name) -> Int? { self.fields[name].flatMap { Int($0) } }
}

/// A response of a simulated server.
struct WireResponse {
    var status: Int
    var fields: HTTPFields = [:]
    var problem: UploadProblem?
}

/// A server of resumable uploads, which receives one request at a time.
protocol SimulatedUploadServer {
    var store: UploadStore { get set }

    /// Receives the head of a request.
    ///
    /// - Returns: The answer, or `nil` if the server reads the content first; and informational responses.
    mutating func begin(_ request: WireRequest, using generator: inout SeededGenerator) -> (WireResponse?, [HTTPFields])

    /// Receives content; returns informational responses.
    mutating func receive(_ bytes: ArraySlice<UInt8>, using generator: inout SeededGenerator) -> [HTTPFields]

    /// Receives the end of the content.
    mutating func end(using generator: inout SeededGenerator) -> WireResponse

    /// The connection broke: no more of the request arrives.
    mutating func disconnect()
}
