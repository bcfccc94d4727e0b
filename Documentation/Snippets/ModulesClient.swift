// SPDX-License-Identifier: Apache-2.0
// The code in the pages of Tern and of the modules that add to a client.
// scripts/check snippets fails if the two copies differ.
import Foundation

// snippet.module-tern
import Tern

// snippet.end
// snippet.module-observability
import Logging
import Tern
import TernObservability

// snippet.end
// snippet.module-publishers
import TernPublishers

// snippet.end
// snippet.module-transfer-queue
import Tern
import TernTransferQueue

// snippet.end
// snippet.module-websocket
import Tern

// snippet.end

func calling(_ url: URL) async throws {
    // snippet.module-tern
    let client = Client()

    let (data, response) = try await client.data(from: url)
    let (location, _) = try await client.download(from: url)
    let (bytes, _) = try await client.bytes(from: url)
    for try await line in bytes.lines { print(line) }

    let socket = try await client.webSocket(from: url)
    for try await message in socket { print(message) }
    // snippet.end
    _ = (data, response, location)
}

func showOnline() { print("online") }
func showOffline(retryingIn delay: Duration? = nil) { print("offline") }
func show<Content>(_ content: Content) { print(content) }

func scheduleRetry() { print("soon") }
func log(_ text: String) { print(text) }

func failing(_ client: Client, _ url: URL) async {
    // snippet.module-errors
    do {
        let (data, _) = try await client.data(from: url)
        show(data)
    } catch {
        switch error {
        case .cancelled: return
        case _ where error.isOffline: showOffline()
        case .protocolViolation(let section, let why, _): log("\(section): \(why)")
        default: if error.isRetryable { scheduleRetry() }
        }
    }
    // snippet.end
}

func observing() {
    // snippet.module-observability
    var configuration = Client.Configuration()
    configuration.monitors = [LoggingMonitor(Logger(label: "http")), MetricsMonitor()]
    configuration.addTracing()
    let client = Client(configuration: configuration)
    // snippet.end
    _ = client
}

struct Photo: Codable {
    var title: String

    init(contentsOf url: URL) throws { self.title = try String(contentsOf: url, encoding: .utf8) }
}

func publishing(_ client: Client, from url: URL, to file: URL, timer: PassthroughSubject<Int, Never>) async {
    // snippet.module-publishers
    let request = Request(url: url).validate(.success)
    let cancellable = client.downloadPublisher(for: request, to: file)
        .tryMap { @Sendable download in try Photo(contentsOf: download.url) }
        .sink(receiveCompletion: { print($0) }, receiveValue: { show($0) })
    for await tick in timer.asyncStream() { show(tick) }
    // snippet.end
    _ = cancellable
}

func requesting(_ photo: Photo, userID: Int) {
    // snippet.module-requests
    let request = Request(.post, "https://api.example.com")
        .path("users").pathSegment(userID).path("photos")
        .query("page", 2)
        .header(.accept, "application/json")
        .body(json: photo)
        .timeout(.seconds(10))
    print(request.curl())
    // snippet.end
}

func continuing(_ client: Client, _ url: URL, _ destination: URL, _ published: String) async throws {
    // snippet.module-transfers
    guard let checksum = Checksum(published) else { return }  // "sha256:9f86d081…"
    let policy = ResumptionPolicy(maximumAttemptCount: 20)
    _ = try await client.download(
        from: url,
        to: destination,
        resuming: policy,
        expecting: checksum
    )
    // snippet.end
}

func retrying() {
    // snippet.module-retry
    var configuration = Client.Configuration()
    configuration.retry = RetryPolicy(maximumAttemptCount: 4)
    // snippet.end
    _ = configuration
}

func storing(_ folder: URL, _ url: URL) async throws {
    // snippet.module-cache-stores
    let store = DiskCacheStore(directory: folder, maximumByteCount: 64 << 20)
    var configuration = Client.Configuration()
    configuration.cache = store
    let client = Client(configuration: configuration)
    // later:
    try await store.remove(CacheKey(url))  // the responses for one URL
    try await store.removeAll()  // all, for example when a person signs out
    // snippet.end
    _ = client
}

func proxy() throws {
    // snippet.module-proxies
    var configuration = Client.Configuration()
    let proxy = try Proxy("socks5://proxy.example")
    configuration.proxy = .proxy(proxy, except: "localhost, .intern.example")
    // snippet.end
    _ = configuration
}

func validating(_ url: URL) {
    // snippet.module-validation
    let request = Request(url: url)
        .validate(.success, .contentType("application/json", "application/*+json"))
    // snippet.end
    _ = request
}

func strict(_ file: URL) throws -> Client {
    // snippet.module-strict-transport
    let saved = try? Data(contentsOf: file)
    let hosts = saved.flatMap {
        try? JSONDecoder().decode(StrictTransportHosts.self, from: $0)
    }
    let store = MemoryStrictTransportStore(hosts ?? StrictTransportHosts())
    var configuration = Client.Configuration()
    configuration.strictTransport = store
    let client = Client(configuration: configuration)
    // later, when the program ends:
    try JSONEncoder().encode(store.hosts).write(to: file, options: .atomic)
    // snippet.end
    return client
}

func receiving(_ client: Client, _ url: URL) async throws {
    // snippet.module-streams
    for try await event in try await client.events(from: url) {
        print(event.event, event.id, event.data)
    }
    // snippet.end
}

func trusting(_ client: Client, _ url: URL) async throws {
    // snippet.module-trust
    let (_, response) = try await client.data(from: url)
    if let trust = response.tls?.trust {
        print(try trust.certificates())
        print(trust.verifiedChain.compactMap { KeyPin(certificate: $0) })
    }
    // snippet.end
}

func messages(_ client: Client, _ url: URL) async throws {
    // snippet.module-websocket
    let socket = try await client.webSocket(from: url)
    try await socket.send("hello")
    for try await message in socket {
        switch message {
        case .text(let text): print(text)
        case .binary(let data): print(data.count)
        }
    }
    print(socket.closeCode as Any, socket.closeReason ?? "")
    // snippet.end
}

func queueing(_ folder: URL, _ client: Client, _ url: URL, _ checksum: Checksum) async throws {
    let (file, video) = (folder.appending(path: "model"), folder.appending(path: "video"))
    // snippet.module-transfer-queue
    let queue = try await TransferQueue(
        directory: folder,
        client: client,
        delegate: Credentials()
    )
    try await queue.add(.download(from: url, to: file, expecting: checksum))
    try await queue.add(.upload(to: url, fromFile: video, method: .put))
    try await queue.runUntilIdle()
    for transfer in queue.transfers { print(transfer.description, transfer.state) }
    // snippet.end
}

func token() async throws -> String { "token" }

// snippet.module-transfer-queue-delegate
struct Credentials: TransferQueueDelegate {
    func transfer(
        _ transfer: QueuedTransfer,
        willStartWith request: Request
    ) async throws -> Request {
        request.header(.authorization, "Bearer \(try await token())")
    }
}
// snippet.end

func show(_ state: QueuedTransfer.State, _ progress: TransferProgress) { print(state, progress) }
func hide(_ id: TransferID) { print(id) }
func showOffline(_ isOffline: Bool) { print(isOffline) }
func showPaused(_ isPaused: Bool) { print(isPaused) }

func watching(_ queue: TransferQueue) async {
    // snippet.module-transfer-queue-changes
    for await change in queue.changes {
        switch change {
        case .transfer(let transfer): show(transfer.state, transfer.progress)
        case .removed(let id): hide(id)
        case .network(let isAvailable): showOffline(!isAvailable)
        case .queue(let isPaused): showPaused(isPaused)
        @unknown default: break
        }
    }
    // snippet.end
}
