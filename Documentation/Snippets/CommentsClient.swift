// SPDX-License-Identifier: Apache-2.0
// The code in the comments of Tern and TernTransfers.
// scripts/check snippets fails if the two copies differ.
import Foundation
import Tern

struct User: Decodable { var name: String }

protocol SignInService: Sendable {
    func newToken() async throws -> BearerAuthentication.Token
}

func refreshingATokenFrom(_ signInService: any SignInService) {
    // snippet.comment-bearer
    let api = Origin(scheme: .https, host: "api.example.com")
    var configuration = Client.Configuration()
    configuration.bearer = [
        BearerAuthentication(for: [api]) { old in
            try await signInService.newToken()
        }
    ]
    // snippet.end
    _ = configuration
}

func writing(_ client: Client, _ url: URL) async throws {
    // snippet.comment-request-body-writer
    let (body, writer) = RequestBody.makeWriter(contentType: "application/x-ndjson")
    async let reply = client.bytes(for: Request(.post, url).body(body))
    try await writer.write("one\n".utf8)
    try await writer.write("two\n".utf8)
    writer.finish()
    let (bytes, response) = try await reply
    // snippet.end
    _ = (bytes, response)
}

final class FractionBar { var fraction: Double? }

func progressing(_ client: Client, _ url: URL, _ bar: FractionBar) async throws {
    // snippet.comment-progress-closure
    let delegate = ProgressDelegate(onReceive: { print($0.fractionCompleted ?? 0) })
    let (file, _) = try await client.download(from: url, delegate: delegate)
    // snippet.end
    _ = file
}

func progressingInALoop(_ client: Client, _ url: URL, _ bar: FractionBar) async throws {
    // snippet.comment-progress-loop
    let progress = ProgressDelegate()
    async let download = client.download(from: url, delegate: progress)
    for await update in progress.received { bar.fraction = update.fractionCompleted }
    let (file, _) = try await download
    // snippet.end
    _ = file
}

struct SignInController {
    func prompt() async -> (user: String, password: String) { ("anna", "woof") }
}
let controller = SignInController()

// snippet.comment-task-delegate
@MainActor final class SignIn: TaskDelegate {
    var attempts = 0

    func task(
        _ task: TaskInfo,
        didReceive challenge: AuthenticationChallenge
    ) async -> ChallengeDisposition? {
        guard challenge.protectionSpace.scheme == .basic else {
            return nil  // not mine
        }
        self.attempts += 1
        let (user, password) = await controller.prompt()
        return .useCredential(Credential(user: user, password: password))
    }
}
// snippet.end

@MainActor
func delegating(_ client: Client, _ request: Request) async throws {
    // snippet.comment-task-delegate
    let (data, response) = try await client.data(for: request, delegate: SignIn())
    // snippet.end
    _ = (data, response)
}

func reading(_ client: Client, _ url: URL) async throws {
    // snippet.comment-bytes
    let (bytes, response) = try await client.bytes(from: url)
    for try await line in bytes.lines { print(line) }
    // snippet.end
    _ = response
}

func decoding(_ client: Client) async throws {
    // snippet.comment-value
    let request = Request(.get, "https://api.example.com/users/7")
    let user: User = try await client.value(for: request)
    // snippet.end
    _ = user
}

func calling(_ url: URL) async throws {
    // snippet.comment-client
    let client = Client()
    let (data, response) = try await client.data(from: url)
    // snippet.end
    _ = (data, response)
}

func resuming(_ client: Client, _ url: URL, _ file: URL) async throws {
    // snippet.comment-resumed-download
    let download = try await client.download(from: url, to: file, resuming: .automatic)
    print("\(download.resumedByteCount) of \(download.byteCount) bytes were there")
    // snippet.end
}

func resumingUpload(_ client: Client, _ url: URL, _ video: URL) async throws {
    // snippet.comment-resumed-upload
    let upload = try await client.upload(
        for: Request(.post, url),
        fromFile: video,
        resuming: .automatic
    )
    print(upload.response?.statusCode ?? 0)
    // snippet.end
}

func expecting() {
    // snippet.comment-checksum
    guard
        let checksum = Checksum(
            "sha256:9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08"
        )
    else { return }  // the text is not a checksum
    // snippet.end
    _ = checksum
}

func keepingCookies(in url: URL) async throws {
    var configuration = Client.Configuration()
    // snippet.comment-cookie-store
    configuration.cookieStore = try await FileCookieStore(file: url)
    // snippet.end
    _ = configuration
}

// snippet.comment-event-monitor
struct Printer: EventMonitor {
    func call(
        _ call: MonitoredCall,
        didEnd metrics: TaskMetrics,
        error: ClientError?
    ) {
        print("\(call.id): \(metrics.duration)")
    }
}
// snippet.end

func printing() {
    var configuration = Client.Configuration()
    // snippet.comment-event-monitor
    configuration.monitors = [Printer()]
    // snippet.end
    _ = configuration
}
