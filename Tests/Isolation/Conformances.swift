// SPDX-License-Identifier: Apache-2.0
// scripts/check isolation compiles this file with all isolation settings that a
// user's module can have. The code never runs.
import Foundation
import HTTPTypes
import Tern
import TernAuthentication
import TernCaching
import TernCookies
import TernErrors
import TernRequests
import TernTransferQueue
import TernTransport

// MARK: Delegates

@MainActor
final class MainActorDelegate: TaskDelegate {
    var callCount = 0
    var progress = 0.0

    func task(_ task: TaskInfo, didReceive challenge: AuthenticationChallenge) async -> ChallengeDisposition? {
        self.callCount += 1
        return nil
    }

    func task(_ task: TaskInfo, willRedirectTo request: Request, for response: Response) async -> RedirectDisposition? {
        self.callCount += 1
        return .follow(request)
    }

    func task(_ task: TaskInfo, needsNewBodyFor request: Request) async -> RequestBody? { nil }

    func taskIsWaitingForConnection(_ task: TaskInfo) { self.callCount += 1 }
    func task(_ task: TaskInfo, didSendBodyData progress: TransferProgress) { self.progress = 0.5 }
    func task(_ task: TaskInfo, didReceiveBodyData progress: TransferProgress) {
        self.progress = progress.fractionCompleted ?? 0
    }
    func task(_ task: TaskInfo, willRetryAfter delay: Duration, because cause: RetryCause) async { self.callCount += 1 }
    func task(_ task: TaskInfo, didReceiveInformationalResponse response: HTTPResponse) { self.callCount += 1 }
    func task(_ task: TaskInfo, didOpenWebSocket subprotocol: String?) { self.callCount += 1 }
    func task(_ task: TaskInfo, didCloseWebSocket code: UInt16?, reason: String?) { self.callCount += 1 }
    func task(_ task: TaskInfo, didCollect metrics: TaskMetrics) { self.callCount += 1 }
    func task(_ task: TaskInfo, didCompleteWith error: ClientError?) { self.callCount += 1 }
}

actor ActorDelegate: TaskDelegate {
    var callCount = 0

    func task(_ task: TaskInfo, didReceive challenge: AuthenticationChallenge) async -> ChallengeDisposition? {
        self.callCount += 1
        return .performDefaultHandling
    }

    func task(_ task: TaskInfo, didReceiveBodyData progress: TransferProgress) { self.callCount += 1 }
    func task(_ task: TaskInfo, didCompleteWith error: ClientError?) async { self.callCount += 1 }
}

@MainActor
final class MainActorQueueDelegate: TransferQueueDelegate {
    var answers = 0

    func transfer(_ transfer: QueuedTransfer, willStartWith request: Request) async throws -> Request { request }
    func taskDelegate(for transfer: QueuedTransfer) -> (any TaskDelegate)? { nil }
    func transfer(_ transfer: QueuedTransfer, didUpload answer: ResumedUpload) { self.answers += 1 }
}

actor ActorQueueDelegate: TransferQueueDelegate {
    var attempts = 0

    func transfer(_ transfer: QueuedTransfer, willStartWith request: Request) async throws -> Request {
        self.attempts += 1
        return request
    }
}

struct ValueDelegate: TaskDelegate {
    let name: String

    func task(_ task: TaskInfo, willRedirectTo request: Request, for response: Response) async -> RedirectDisposition? {
        .stop
    }

    func task(_ task: TaskInfo, didReceiveBodyData progress: TransferProgress) {}
}

// MARK: Interceptors and transports

@MainActor
final class MainActorInterceptor: Interceptor {
    var requestCount = 0

    func respond(to call: HTTPCall, next: NextStages) async throws(ClientError) -> HTTPReply {
        self.requestCount += 1
        var call = call
        call.request = call.request.header(.userAgent, "App/1.0")
        return try await next.respond(to: call)
    }
}

actor ActorInterceptor: Interceptor {
    var requestCount = 0

    func respond(to call: HTTPCall, next: NextStages) async throws(ClientError) -> HTTPReply {
        self.requestCount += 1
        return try await next.respond(to: call)
    }
}

struct ValueInterceptor: Interceptor {
    func respond(to call: HTTPCall, next: NextStages) async throws(ClientError) -> HTTPReply {
        try await next.respond(to: call)
    }
}

@MainActor
final class MainActorTransport: Transport {
    var requestCount = 0

    func respond(to call: HTTPCall) async throws(ClientError) -> HTTPReply {
        self.requestCount += 1
        throw .cancelled(call.context(.send))
    }
}

// MARK: Signers

@MainActor
final class MainActorSigner: RequestSigner {
    var signatureCount = 0

    func fields(signing request: SignableRequest) async throws -> HTTPFields {
        self.signatureCount += 1
        return [.authorization: "\(self.signatureCount)"]
    }
}

actor ActorSigner: RequestSigner {
    var signatureCount = 0

    func fields(signing request: SignableRequest) async throws -> HTTPFields {
        self.signatureCount += 1
        return [:]
    }
}

struct ValueSigner: RequestSigner {
    func fields(signing request: SignableRequest) async throws -> HTTPFields { [:] }
}

// MARK: Stores

@MainActor
final class MainActorCredentials: CredentialStore {
    var credentials: [ProtectionSpace: Credential] = [:]

    func credential(for space: ProtectionSpace) async -> Credential? { self.credentials[space] }
    func store(_ credential: Credential, for space: ProtectionSpace) { self.credentials[space] = credential }
    func remove(for space: ProtectionSpace) { self.credentials[space] = nil }
}

actor ActorCredentials: CredentialStore {
    var credentials: [ProtectionSpace: Credential] = [:]

    func credential(for space: ProtectionSpace) -> Credential? { self.credentials[space] }
    func store(_ credential: Credential, for space: ProtectionSpace) { self.credentials[space] = credential }
    func remove(for space: ProtectionSpace) async { self.credentials[space] = nil }
}

struct ValueCredentials: CredentialStore {
    func credential(for space: ProtectionSpace) async -> Credential? { nil }
    func store(_ credential: Credential, for space: ProtectionSpace) async {}
    func remove(for space: ProtectionSpace) async {}
}

@MainActor
final class MainActorCookies: CookieStore {
    var jar = CookieJar()

    func cookies(for request: CookieRequest, at now: Date) async -> [Cookie] { self.jar.cookies(for: request, at: now) }
    func receive(_ fields: [SetCookie], from request: CookieRequest, at now: Date) {
        for field in fields { try? self.jar.receive(field, from: request, at: now) }
    }
}

actor ActorCookies: CookieStore {
    var jar = CookieJar()

    func cookies(for request: CookieRequest, at now: Date) -> [Cookie] { self.jar.cookies(for: request, at: now) }
    func receive(_ fields: [SetCookie], from request: CookieRequest, at now: Date) async {}
}

@MainActor
final class MainActorCache: CacheStore {
    let maximumBodyByteCount: Int64 = 1 << 20
    var entryCount = 0

    func entries(for key: CacheKey) async throws(CacheStoreError) -> [CacheEntry] {
        self.entryCount += 1
        return []
    }
    func body(of entry: CacheEntry, for key: CacheKey) async throws(CacheStoreError) -> ResponseBody? { nil }
    func makeWriter(for key: CacheKey) async throws(CacheStoreError) -> any CacheWriter {
        throw .other("full")
    }
    func update(_ entry: CacheEntry, for key: CacheKey) async throws(CacheStoreError) { self.entryCount += 1 }
    func remove(_ key: CacheKey) async throws(CacheStoreError) { self.entryCount = 0 }
    func removeAll() async throws(CacheStoreError) { self.entryCount = 0 }
}

// MARK: Monitors, which a call tells on the thread where something happens

@MainActor
final class MainActorMonitor: EventMonitor {
    var callCount = 0

    nonisolated func callDidBegin(_ call: MonitoredCall) {
        Task { @MainActor in self.callCount += 1 }
    }
}

// MARK: Values

struct Album: Codable, Equatable {
    var id: Int
    var title: String
}

enum Kind: String, Decodable { case audio, video }

@MainActor
final class API {
    let client = Client()

    func get<T: Decodable>(_ path: String) async throws -> T {
        try await self.client.value(for: Request(.get, "https://api.example.com/\(path)"))
    }

    func post<T: Encodable, U: Decodable>(_ value: T, to path: String) async throws -> U {
        try await self.client.value(for: Request(.post, "https://api.example.com/\(path)").body(json: value))
    }
}

/// The model of a view, as in an app.
@MainActor
final class AlbumList {
    private(set) var albums: [Album] = []
    private(set) var message: String?
    private(set) var received = 0
    private let api = API()
    private let client = Client()

    func load() async {
        do {
            self.albums = try await self.api.get("albums")
            let first: Album = try await self.client.value(for: Request(.get, "https://api.example.com/albums/1"))
            let second = try await self.client.value(
                for: Request(.get, "https://api.example.com/albums/2"),
                as: Album.self,
                delegate: MainActorDelegate()
            )
            self.albums += [first, second]
            let kind: Kind? = try await self.client.value(for: Request(.get, "https://api.example.com/kind"))
            self.message = kind?.rawValue
        } catch {
            self.message = error.localizedDescription
        }
    }

    func add(_ album: Album) async throws {
        let saved: Album = try await self.api.post(album, to: "albums")
        self.albums.append(saved)
    }

    func stream() async throws {
        let (bytes, response) = try await self.client.bytes(for: Request(.get, "https://api.example.com/live"))
        guard response.status == .ok else { return }
        for try await line in bytes.lines { self.message = line }
    }

    func chat() async throws {
        let socket = try await self.client.webSocket(for: Request(.get, "wss://api.example.com/chat"))
        try await socket.send("hello")
        for try await message in socket {
            if case .text(let text) = message { self.message = text }
        }
    }

    func save() async throws {
        let (data, _) = try await self.client.data(for: Request(.get, "https://api.example.com/data"))
        self.received = data.count
        let (file, _) = try await self.client.download(for: Request(.get, "https://api.example.com/file"))
        self.message = file.lastPathComponent
        _ = try await self.client.upload(for: Request(.put, "https://api.example.com/file"), from: data)
    }

    /// Loads the model, as the `task` modifier of a view does.
    func appear() -> Task<Void, Never> { Task { await self.load() } }
}

@MainActor
func makeClient() -> Client {
    var configuration = Client.Configuration()
    configuration.callInterceptors = [MainActorInterceptor(), ActorInterceptor()]
    configuration.attemptInterceptors = [ValueInterceptor()]
    configuration.signer = MainActorSigner()
    configuration.credentialStore = MainActorCredentials()
    configuration.cookieStore = MainActorCookies()
    configuration.monitors = [MainActorMonitor()]
    return Client(configuration: configuration, delegate: MainActorDelegate())
}
