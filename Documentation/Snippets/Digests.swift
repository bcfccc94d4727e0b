// SPDX-License-Identifier: Apache-2.0
// The code in the article on trailers and digests, and in comments about trailers
// and digests. scripts/check snippets fails if the two copies differ.
import Foundation
import Synchronization
import Tern

func checking(url: URL, folder: URL, show: (String) -> Void) async throws(ClientError) {
    // snippet.digests-check
    var configuration = Client.Configuration()
    configuration.digestChecking = .ifPresent
    let client = Client(configuration: configuration)
    let update = folder.appending(path: "update.zip")
    let (file, _) = try await client.download(from: url, to: update)
    // snippet.end
    _ = file
    let request = Request(url: url).digestChecking(.required)
    // snippet.digests-failure
    do {
        _ = try await client.data(for: request)
    } catch .digestFailed(let failure, _) {
        show("The update is not what its maker published: \(failure)")
    }
    // snippet.end
}

func sending(_ client: Client, url: URL, photoURL: URL, photo: Data) async throws(ClientError) {
    // snippet.digests-send
    try await client.send(Request(.post, url).body(data: photo).contentDigest())
    try await client.send(Request(.post, url).body(file: photoURL).contentDigest())
    // snippet.end
}

/// The checksum Adler-32 (RFC 1950 §9).
struct Adler32 {
    var sums: (UInt32, UInt32) = (1, 0)

    mutating func update(_ piece: Data) {
        for byte in piece {
            self.sums.0 = (self.sums.0 + UInt32(byte)) % 65521
            self.sums.1 = (self.sums.1 + self.sums.0) % 65521
        }
    }

    var text: String { String(self.sums.1 << 16 | self.sums.0, radix: 16) }
}

final class Counter: Sendable {
    private let count = Mutex(0)

    var value: Int { self.count.withLock { $0 } }
}

func following(_ recording: URL, _ rows: AsyncStream<Data>, _ counter: Counter) throws {
    guard let rowCount = HTTPField.Name("Row-Count"), let checksum = HTTPField.Name("X-Checksum") else { return }
    // snippet.comment-trailers-made
    let table = RequestBody.stream(rows).trailers(announcing: [rowCount]) {
        [rowCount: "\(counter.value)"]
    }
    // snippet.end
    // snippet.comment-trailers-reduced
    let body = RequestBody.file(recording)
        .trailers(announcing: [checksum], into: Adler32()) { adler, piece in
            adler.update(piece)
        } finish: { adler in
            [checksum: adler.text]
        }
    // snippet.end
    _ = (table, body)
}

func checksumming(_ recording: URL) {
    guard let checksum = HTTPField.Name("X-Checksum") else { return }
    // snippet.digests-reduced
    let body = RequestBody.file(recording)
        .trailers(announcing: [checksum], into: Adler32()) { adler, piece in
            adler.update(piece)
        } finish: { adler in
            [checksum: adler.text]
        }
    // snippet.end
    _ = body
}

func writing(_ client: Client, url: URL) async throws {
    guard let rowCount = HTTPField.Name("Row-Count") else { return }
    // snippet.digests-writer
    let (body, writer) = RequestBody.makeWriter(
        contentType: "text/csv",
        announcing: [rowCount]
    )
    let request = Request(.post, url).body(body)
    async let answer = client.data(for: request)
    try await writer.write("1,one\n".utf8)
    try await writer.write("2,two\n".utf8)
    writer.finish(trailers: [rowCount: "2"])
    // snippet.end
    _ = try await answer
}

func reading(_ client: Client, url: URL) async throws(ClientError) {
    // snippet.digests-trailers
    let request = Request(url: url).acceptsTrailers()
    let (bytes, response) = try await client.bytes(for: request)
    for try await row in bytes.lines { print(row) }
    print(response.trailers?["Row-Count"] ?? "the server did not count them")
    // snippet.end
}
