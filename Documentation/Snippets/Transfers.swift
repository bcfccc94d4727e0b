// SPDX-License-Identifier: Apache-2.0
// The code in the articles on moving data. scripts/check snippets fails if the two
// copies differ.
import Foundation
import Tern

struct Photo: Codable {
    var id: Int
    var title: String
}
struct Refused: Error {}

func fetching(_ client: Client, url: URL, show: (String) -> Void) async throws {
    // snippet.fetch-value
    let photo = try await client.value(from: url, as: Photo.self)
    // snippet.end
    _ = photo
    // snippet.fetch-data
    let (data, response) = try await client.data(from: url)
    guard response.status == .ok else { throw Refused() }
    let same = try JSONDecoder().decode(Photo.self, from: data)
    // snippet.end
    _ = same
    // snippet.fetch-request
    let request = Request(.get, "https://api.example.com")
        .path("users/anna/photos")
        .query("page", 2)
        .header(.acceptLanguage, "de")
        .timeout(.seconds(10))
    let page = try await client.value(for: request, as: [Photo].self)
    // snippet.end
    _ = page
    // snippet.fetch-errors
    do throws(ClientError) {
        let photo = try await client.value(from: url, as: Photo.self)
        show(photo.title)
    } catch {
        switch error {
        case .cancelled: break
        case .timedOut: show("The server takes too long.")
        case .validationFailed: show("The server says \(error.status?.code ?? 0).")
        case .decodingFailed(let failure, _): print("not a photo: \(failure)")
        case _ where error.isOffline: show("You seem to be offline.")
        default: show(error.localizedDescription)
        }
    }
    // snippet.end
    // snippet.fetch-several
    let photos = Request(.get, "https://api.example.com/photos")
    async let first = client.value(for: photos.pathSegment(1), as: Photo.self)
    async let second = client.value(for: photos.pathSegment(2), as: Photo.self)
    let both = try await [first, second]
    // snippet.end
    _ = both
}

func uploading(_ client: Client, photoURL: URL, lines: AsyncStream<Data>) async throws {
    // snippet.upload-file
    let request = Request(.put, "https://api.example.com/photos/2")
        .header(.contentType, "image/jpeg")
    let (_, response) = try await client.upload(
        for: request,
        fromFile: photoURL,
        delegate: ProgressDelegate(onSend: { print($0.fractionCompleted ?? 0) })
    )
    guard response.isSuccess else { throw Refused() }
    // snippet.end
    // snippet.upload-progress
    let progress = ProgressDelegate()
    async let call = client.upload(for: request, fromFile: photoURL, delegate: progress)
    for await update in progress.sent { print(update.fractionCompleted ?? 0) }
    let (answer, _) = try await call
    // snippet.end
    _ = answer
    // snippet.upload-form
    let form = Multipart()
        .field("title", "Biscuit at the beach")
        .file("photo", photoURL, contentType: "image/jpeg")
    let post = Request(.post, "https://api.example.com/photos").body(multipart: form)
    try await client.send(post)
    // snippet.end
    // snippet.upload-stream
    let log = Request(.post, "https://api.example.com/log")
    let (receipt, _) = try await client.upload(for: log, from: lines)
    // snippet.end
    _ = receipt
}

// snippet.duplex-send
func send(
    _ questions: some AsyncSequence<String, any Error> & Sendable,
    by writer: RequestBody.Writer
) async {
    do {
        for try await question in questions {
            try await writer.write("\(question)\n".utf8)
        }
        writer.finish()
    } catch {
        writer.finish(throwing: error)
    }
}
// snippet.end

func talking(
    _ client: Client,
    url: URL,
    questions: some AsyncSequence<String, any Error> & Sendable,
    show: (String) -> Void
) async throws {
    // snippet.duplex-call
    let (body, writer) = RequestBody.makeWriter(contentType: "application/x-ndjson")
    async let _ = send(questions, by: writer)
    let (bytes, response) = try await client.bytes(for: Request(.post, url).body(body))
    guard response.isSuccess else { throw Refused() }
    for try await answer in bytes.lines { show(answer) }
    // snippet.end
    // snippet.duplex-silence
    var timeouts = client.configuration.timeouts
    timeouts.idle = .seconds(600)
    let request = Request(.post, url).timeouts(timeouts).body(body)
    // snippet.end
    _ = request
}

func downloading(_ client: Client, url: URL, file: URL) async throws {
    // snippet.download-file
    let (location, response) = try await client.download(from: url, to: file)
    guard response.isSuccess else {
        try FileManager.default.removeItem(at: location)  // the server's error page
        throw Refused()
    }
    // snippet.end
}

func continuing(_ client: Client, url: URL, file: URL) async throws {
    // snippet.download-continue
    let download = try await client.download(from: url, to: file, resuming: .automatic)
    print("\(download.resumedByteCount) of \(download.byteCount) bytes were there")
    if let reason = download.restart { print("the download began again: \(reason)") }
    // snippet.end
}

func sign(_ url: URL) async throws -> URL { url }

func renewing(_ client: Client, url: URL, file: URL) async throws {
    // snippet.download-new-url
    do throws(ClientError) {
        _ = try await client.download(from: url, to: file, resuming: .automatic)
    } catch let error where error.status == .forbidden {  // the signature has expired
        _ = try await client.download(from: sign(url), to: file, resuming: .automatic)
    }
    // snippet.end
}

func checking(_ client: Client, url: URL, file: URL, published: String) async throws {
    // snippet.download-checksum
    guard let checksum = Checksum(published) else { throw Refused() }  // "sha256:9f…"
    _ = try await client.download(
        from: url,
        to: file,
        resuming: .automatic,
        expecting: checksum
    )
    // snippet.end
}

func following(_ client: Client, url: URL, file: URL) async throws {
    // snippet.download-progress
    let progress = ProgressDelegate()
    async let download = client.download(from: url, to: file, delegate: progress)
    for await update in progress.received { print(update.fractionCompleted ?? 0) }
    let (location, _) = try await download
    // snippet.end
    _ = location
}

func givingUp(_ file: URL) {
    // snippet.download-remove
    for suffix in ["tern-partial", "tern-record", "tern-record-new"] {
        try? FileManager.default.removeItem(at: file.appendingPathExtension(suffix))
    }
    // snippet.end
}

func uploadingAndResuming(_ client: Client, video: URL) async throws {
    // snippet.upload-continue
    let request = Request(.post, "https://api.example.com/videos")
        .header(.contentType, "video/mp4")
    let upload = try await client.upload(
        for: request,
        fromFile: video,
        resuming: .automatic
    )
    if let response = upload.response, !response.isSuccess { throw Refused() }
    print("\(upload.resumedByteCount) of \(upload.byteCount) bytes were there")
    // snippet.end
}

func uploadingByTus(_ client: Client, filesURL: URL, video: URL) async throws {
    // snippet.upload-tus
    var rules = UploadResumption.tus
    let name = TusOptions.Metadata("filename", video.lastPathComponent.utf8)
    if let name { rules.tus.metadata = [name] }
    rules.tus.checksum = .sha256  // if the server has the extension Checksum
    let request = Request(.post, filesURL)
    _ = try await client.upload(for: request, fromFile: video, resuming: rules)
    // snippet.end
}

func placingTheRecord(_ client: Client, request: Request, video: URL, recordsFolder: URL) async throws {
    // snippet.upload-record
    let rules = UploadResumption(record: recordsFolder.appending(path: "video-7"))
    // snippet.end
    _ = try await client.upload(for: request, fromFile: video, resuming: rules)
}

func restartingTheUpload(_ client: Client, request: Request, video: URL) async throws {
    // snippet.upload-restart
    let rules = UploadResumption(restartsChangedFile: true)
    let upload = try await client.upload(for: request, fromFile: video, resuming: rules)
    if let reason = upload.restart { print("the upload began again: \(reason)") }
    // snippet.end
}

func givingUpTheUpload(_ client: Client, request: Request, video: URL) async throws {
    // snippet.upload-remove
    try await client.cancelUpload(for: request, fromFile: video, resuming: .automatic)
    // snippet.end
}

struct Update: Decodable {
    var photo: Int
    var favourites: Int
}

func streaming(_ client: Client, url: URL, show: (Update) async -> Void) async throws {
    // snippet.lines-loop
    let (bytes, response) = try await client.bytes(from: url)
    guard response.status == .ok else { throw Refused() }
    for try await line in bytes.lines where !line.isEmpty {
        let update = try JSONDecoder().decode(Update.self, from: Data(line.utf8))
        await show(update)
    }
    // snippet.end
}

func followingUpdates(_ client: Client, url: URL, show: @escaping @Sendable (Update) async -> Void) async throws {
    // snippet.lines-task
    var timeouts = client.configuration.timeouts  // keep the other limits
    timeouts.idle = .seconds(30)  // the server sends an empty line every 15 s
    let request = Request(url: url).timeouts(timeouts)
    let updates = Task {
        let (bytes, _) = try await client.bytes(for: request)
        for try await line in bytes.lines where !line.isEmpty {
            await show(try JSONDecoder().decode(Update.self, from: Data(line.utf8)))
        }
    }
    updates.cancel()  // when the view disappears: the loop and the call end
    // snippet.end
    // snippet.lines-chunks
    let (bytes, _) = try await client.bytes(from: url)
    for try await chunk in bytes.chunks { print(chunk.count) }
    // snippet.end
}
