// SPDX-License-Identifier: Apache-2.0
// The code in the articles in Sources/TernPublishers/TernPublishers.docc/Articles.
// scripts/check snippets fails if the two copies differ.
import Foundation
import TernPublishers

struct Picture: Sendable {
    static let fallback = Picture(byteCount: 0)
    var byteCount = 0

    init(byteCount: Int) { self.byteCount = byteCount }
    init(contentsOf url: URL) throws { self.byteCount = try Data(contentsOf: url).count }
}

// snippet.publishers-cell
final class PictureCell {
    private let client: Client
    private var download: AnyCancellable?

    init(client: Client) { self.client = client }

    func show(_ url: URL, in view: @escaping (Picture) -> Void) {
        let request = Request(url: url).validate(.success)
        self.download = self.client.downloadPublisher(for: request)
            .tryMap { @Sendable download in
                defer { try? FileManager.default.removeItem(at: download.url) }
                return try Picture(contentsOf: download.url)
            }
            .replaceError(with: Picture.fallback)
            .sink { picture in view(picture) }
    }

    func prepareForReuse() { self.download = nil }
}
// snippet.end

func downloads(_ client: Client, _ url: URL, _ folder: URL, show: @escaping (Double?) -> Void) -> [AnyCancellable] {
    // snippet.publishers-destination
    let place = folder.appendingPathComponent("photo.jpg")
    let toPlace = client.downloadPublisher(from: url, to: place)
    // snippet.end
    // snippet.publishers-progress
    let cancellable = client.downloadPublisher(from: url)
        .withProgress()
        .sink { completion in
            if case .failure(let error) = completion { print(error) }
        } receiveValue: { event in
            switch event {
            case .sent: break
            case .received(let progress): show(progress.fractionCompleted)
            case .value(let download): print(download.url)
            }
        }
    // snippet.end
    // snippet.publishers-share
    let shared = client.dataPublisher(from: url).share()
    let first = shared.sink(
        receiveCompletion: { _ in },
        receiveValue: { print($0.data.count) }
    )
    let second = shared.sink(
        receiveCompletion: { _ in },
        receiveValue: { print($0.response.statusCode) }
    )
    // snippet.end
    return [
        cancellable, first, second,
        toPlace.sink(receiveCompletion: { _ in }, receiveValue: { _ in }),
    ]
}

struct Question: Encodable, Sendable { var text: String }
struct Delta: Decodable, Sendable { var text: String }

func tokens(_ client: Client, _ question: Question, show: @escaping (String) -> Void) -> AnyCancellable {
    // snippet.publishers-events
    let request = Request(.post, "https://api.example.com/answers").body(json: question)
    let deltas = client.eventsPublisher(
        for: request,
        as: Delta.self,
        until: .data("[DONE]")
    )
    let cancellable = deltas.scan("") { text, delta in text + delta.text }
        .sink(receiveCompletion: { print($0) }, receiveValue: { text in show(text) })
    // snippet.end
    return cancellable
}

func loops(_ client: Client, _ url: URL, _ ticks: AnyPublisher<Int, Never>) async throws {
    // snippet.publishers-loop
    for await tick in ticks.asyncStream() { print(tick) }

    do throws(ClientError) {
        for try await line in client.linesPublisher(from: url).asyncStream() {
            print(line)
        }
    } catch {
        print(error)  // a ClientError, as the publisher says
    }
    // snippet.end
    // snippet.publishers-cancel
    let stream = ticks.asyncStream()
    let loop = Task {
        for await tick in stream { print(tick) }
        print("completed")
    }
    try await Task.sleep(for: .seconds(5))
    stream.cancel()
    await loop.value
    // snippet.end
    // snippet.publishers-buffer
    let keystrokes = PassthroughSubject<String, Never>()
    let latest = keystrokes.asyncStream(bufferingPolicy: .bufferingNewest(1))
    let recent = keystrokes.asyncStream(bufferingPolicy: .bufferingOldest(64))
    let ahead = client.linesPublisher(from: url)
        .asyncStream(bufferingPolicy: .prefetching(16))
    // snippet.end
    _ = (latest, recent, ahead)
}

func back(_ client: Client, _ url: URL) async throws -> AnyCancellable {
    // snippet.publishers-back
    let (bytes, _) = try await client.bytes(from: url)
    let cancellable = bytes.lines.publisher
        .filter { !$0.isEmpty }
        .sink(receiveCompletion: { print($0) }, receiveValue: { print($0) })
    // snippet.end
    return cancellable
}
