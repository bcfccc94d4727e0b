// SPDX-License-Identifier: Apache-2.0
import ClientTestSupport
import Dispatch
import Synchronization
import TernFoundation
import TernTesting
import TestSupport
import Testing

@testable import TernPublishers

@Suite("Publishers of downloads and of progress", .hangLimit)
struct DownloadPublisherTests {
    typealias Download = (url: URL, response: Response)
    typealias DownloadSubscriber = RecordingSubscriber<Download, ClientError>
    typealias EventSubscriber = RecordingSubscriber<CallEvent<Download>, ClientError>

    private let folder: TemporaryFolder

    init() throws { self.folder = try TemporaryFolder() }

    /// Records where a publisher put its files, even if no subscriber received a URL.
    private final class Places: Sendable {
        private let urls = Mutex<[URL]>([])

        var all: [URL] { self.urls.withLock { $0 } }

        func watching(_ publisher: CallPublisher<Download>) -> CallPublisher<Download> {
            CallPublisher(delegate: publisher.delegate, discard: publisher.discard) { delegate throws(ClientError) in
                let download = try await publisher.work(delegate)
                self.urls.withLock { $0.append(download.url) }
                return download
            }
        }
    }

    private func exists(_ url: URL) -> Bool { FileManager.default.fileExists(atPath: url.path) }

    @Test func `the file is complete and in its place when its URL is given, and then the subscriber's`() async throws {
        let client = Client(configuration: .patient, connector: MemoryConnector { _ in .response(body: "a photo") })
        let found = Mutex<[String]>([])
        let subscriber = DownloadSubscriber(
            onSubscription: { $0.request(.max(1)) },
            onValue: { download, _ in
                let text = (try? Data(contentsOf: download.url)).map { String(decoding: $0, as: UTF8.self) }
                found.withLock { $0.append(text ?? "no file") }
                return .none
            }
        )
        client.downloadPublisher(from: testURL).subscribe(subscriber)
        await subscriber.waitForCompletion()
        #expect(found.withLock { $0 } == ["a photo"])
        subscriber.cancel()
        let url = try #require(subscriber.values.first?.url)
        #expect(self.exists(url))
        try FileManager.default.removeItem(at: url)
    }

    @Test @MainActor func `a step that is written on the main actor takes the file on any thread, if it is Sendable`()
        async
    {
        let client = Client(configuration: .patient, connector: MemoryConnector { _ in .response(body: "a photo") })
        let places = Places()
        let subscriber = RecordingSubscriber<String, any Error>(demand: .max(1))
        places.watching(client.downloadPublisher(from: testURL))
            .tryMap { @Sendable download in
                defer { try? FileManager.default.removeItem(at: download.url) }
                return String(decoding: try Data(contentsOf: download.url), as: UTF8.self)
            }
            .subscribe(subscriber)
        await subscriber.waitForCompletion()
        #expect(subscriber.values == ["a photo"])
        #expect(places.all.count == 1 && places.all.allSatisfy { !self.exists($0) })
    }

    @Test func `with a destination it is there`() async throws {
        let client = Client(configuration: .patient, connector: MemoryConnector { _ in .response(body: "a photo") })
        let subscriber = DownloadSubscriber(demand: .max(1))
        client.downloadPublisher(from: testURL, to: self.folder.file("photo")).subscribe(subscriber)
        await subscriber.waitForCompletion()
        #expect(subscriber.values.map(\.url.path) == [self.folder.file("photo").path])
        #expect(try self.folder.text(of: "photo") == "a photo")
        #expect(try self.folder.names == ["photo"])
    }

    @Test func `a failure leaves no file`() async throws {
        let client = Client(
            configuration: .patient,
            connector: MemoryConnector { _ in
                .raw("HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nhalf", ending: .reset)
            }
        )
        let subscriber = DownloadSubscriber(demand: .max(1))
        client.downloadPublisher(from: testURL, to: self.folder.file("photo")).subscribe(subscriber)
        await subscriber.waitForCompletion()
        #expect(subscriber.failure != nil)
        #expect(try self.folder.names == [])
    }

    @Test func `cancelling during the download leaves no file`() async throws {
        let server = ScriptedServer { _ in halfResponse }
        let client = Client(configuration: .patient, connector: MemoryConnector(server))
        let subscriber = DownloadSubscriber(demand: .max(1))
        client.downloadPublisher(from: testURL, to: self.folder.file("photo")).subscribe(subscriber)
        try await server.waitForRequests(1)
        #expect(try self.folder.names.count == 1)
        subscriber.cancel()
        let folder = self.folder
        try await eventually("the folder is empty") { try folder.names.isEmpty }
        #expect(try self.folder.names == [])
    }

    @Test func `cancelled when the file is complete and not given, the temporary file is deleted`() async throws {
        let client = Client(configuration: .patient, connector: MemoryConnector { _ in .response(body: "a photo") })
        let places = Places()
        let subscriber = EventSubscriber(demand: .max(1))
        places.watching(client.downloadPublisher(from: testURL)).withProgress().subscribe(subscriber)
        try await eventually("the file has a place") { !places.all.isEmpty }
        subscriber.cancel()
        try await eventually("it is deleted") { places.all.allSatisfy { !self.exists($0) } }
        #expect(subscriber.completions.isEmpty)
    }

    @Test func `cancelled while it is being delivered, the file is the subscriber's`() async throws {
        let released = ReleasedObjects()
        let subscriber = DownloadSubscriber(
            onSubscription: { $0.request(.unlimited) },
            onValue: { _, subscription in
                guard let subscription else { return .none }
                // Another thread makes this call, and returns before the delivery ends.
                let recipient = Recipient(subscription)
                DispatchQueue.global().sync { recipient.content.cancel() }
                return .none
            }
        )
        do {
            let client = Client(configuration: .patient, connector: MemoryConnector { _ in .response(body: "a photo") })
            released.watch(client)
            client.downloadPublisher(from: testURL).subscribe(subscriber)
        }
        await subscriber.waitForValues(1)
        let url = try #require(subscriber.values.first?.url)
        // Every object that could still delete the file keeps the client alive.
        await released.waitForAll()
        #expect(self.exists(url))
        #expect(subscriber.completions.isEmpty)
        try FileManager.default.removeItem(at: url)
    }

    @Test func `cancelled at any time, the file is either given or deleted`() async throws {
        let client = Client(configuration: .patient, connector: MemoryConnector { _ in .response(body: "a photo") })
        let places = Places()
        let publisher = places.watching(client.downloadPublisher(from: testURL))
        var subscribers: [DownloadSubscriber] = []
        for round in 0..<200 {
            let subscriber = DownloadSubscriber(demand: .max(1))
            publisher.subscribe(subscriber)
            for _ in 0..<round { await Task.yield() }
            subscriber.cancel()
            subscribers.append(subscriber)
        }
        // A call that already had the file when it was cancelled delivers or deletes the file a little later.
        let all = subscribers
        try await eventually("the files that were given are those that exist") {
            let given = Set(all.flatMap(\.values).map(\.url))
            return places.all.allSatisfy { given.contains($0) == self.exists($0) }
        }
        for url in all.flatMap(\.values).map(\.url) { try FileManager.default.removeItem(at: url) }
    }

    @Test func `cancelled then, the file at a destination stays, but no error page`() async throws {
        let client = Client(
            configuration: .patient,
            connector: MemoryConnector { request in
                request.target == "/photo" ? .response(body: "a photo") : .response(.notFound, body: "no photo")
            }
        )
        for name in ["photo", "error"] {
            let places = Places()
            let subscriber = EventSubscriber(demand: .max(1))
            let request = Request(.get, "http://test/\(name)")
            places.watching(client.downloadPublisher(for: request, to: self.folder.file(name))).withProgress()
                .subscribe(subscriber)
            try await eventually("the file has a place") { !places.all.isEmpty }
            subscriber.cancel()
            if name == "error" {
                try await eventually("it is deleted") { places.all.allSatisfy { !self.exists($0) } }
            }
        }
        #expect(try self.folder.names == ["photo"])
    }

    @Test func `progress without demand is the latest, then comes the value`() async throws {
        let bytes = [UInt8](repeating: 7, count: 3_000_000)
        let client = Client(configuration: .patient, connector: MemoryConnector { _ in .response(bytes: bytes) })
        let places = Places()
        let subscriber = EventSubscriber(demand: .max(1))
        places.watching(client.downloadPublisher(from: testURL, to: self.folder.file("photo"))).withProgress()
            .subscribe(subscriber)
        try await eventually("the file has a place") { !places.all.isEmpty }
        #expect(subscriber.values.count == 1)
        subscriber.request(.unlimited)
        await subscriber.waitForCompletion()
        let progress = subscriber.values.compactMap { event in
            if case .received(let progress) = event { progress } else { nil }
        }
        #expect(progress.count <= 2)
        #expect(progress.last?.byteCount == 3_000_000)
        #expect(progress.last?.fractionCompleted == 1)
        guard case .value? = subscriber.values.last else {
            Issue.record("the value is not the last event")
            return
        }
        #expect(subscriber.values.count == progress.count + 1)
        #expect(!subscriber.hasOverlapped)
    }

    @Test func `an upload reports what is sent, and the delegate that was given hears everything, too`() async {
        let client = Client(configuration: .patient, connector: MemoryConnector { .response(body: $0.text) })
        let delegate = RecordingDelegate()
        let subscriber = RecordingSubscriber<CallEvent<(data: Data, response: Response)>, ClientError>(
            demand: .unlimited
        )
        client.uploadPublisher(for: Request(.post, "http://test/"), from: Data("hello".utf8), delegate: delegate)
            .withProgress().subscribe(subscriber)
        await subscriber.waitForCompletion()
        let sent = subscriber.values.compactMap { event in
            if case .sent(let progress) = event { progress.byteCount } else { nil }
        }
        #expect(sent.last == 5)
        #expect(subscriber.isFinished)
        let kinds = delegate.events.map { event in
            switch event {
            case .sent: "sent"
            case .received: "received"
            case .collectedMetrics: "metrics"
            case .completed(hasFailed: false): "completed"
            default: "other"
            }
        }
        #expect(Set(kinds) == ["sent", "received", "metrics", "completed"])
    }

    @Test func `the delegate that was given answers questions`() async {
        let connector = MemoryConnector { request in
            request.fields[.authorization] == nil
                ? .response(.unauthorized, fields: [.wwwAuthenticate: "Basic realm=\"photos\""]) : .response(body: "in")
        }
        let delegate = RecordingDelegate { _ in .useCredential(Credential(user: "u", password: "p")) }
        let subscriber = RecordingSubscriber<CallEvent<(data: Data, response: Response)>, ClientError>(
            demand: .unlimited
        )
        Client(configuration: .patient, connector: connector).dataPublisher(from: testURL, delegate: delegate)
            .withProgress()
            .subscribe(subscriber)
        await subscriber.waitForCompletion()
        guard case .value(let value)? = subscriber.values.last else {
            Issue.record("\(String(describing: subscriber.failure))")
            return
        }
        #expect(value.response.statusCode == 200)
    }
}
