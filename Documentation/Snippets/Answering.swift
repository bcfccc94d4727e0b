// SPDX-License-Identifier: Apache-2.0
// The code in the articles on answering in an interceptor and on fields for every
// request, and on the page of TernTransport. scripts/check snippets fails if the two
// copies differ.
import Foundation
import Tern

// snippet.answering-offline
struct OfflineMode: Interceptor {
    let isOffline: @Sendable () -> Bool
    let folder: URL

    func respond(
        to call: HTTPCall,
        next: NextStages
    ) async throws(ClientError) -> HTTPReply {
        guard self.isOffline() else { return try await next.respond(to: call) }
        let url = call.request.url
        let file = self.folder.appending(path: url.lastPathComponent)
        guard let saved = try? Data(contentsOf: file) else {
            throw .connectionFailed(.noNetwork, call.context(.connect))
        }
        let head = Response(url: url, fields: [.contentType: "application/json"])
        return HTTPReply(response: head, body: ResponseBody(saved))
    }
}
// snippet.end

// snippet.answering-maintenance
struct Maintenance: Interceptor {
    let isUnderWay: @Sendable () -> Bool

    func respond(
        to call: HTTPCall,
        next: NextStages
    ) async throws(ClientError) -> HTTPReply {
        guard self.isUnderWay() else { return try await next.respond(to: call) }
        let head = Response(
            url: call.request.url,
            status: .serviceUnavailable,
            fields: [.contentType: "application/problem+json", .retryAfter: "30"]
        )
        let body = ResponseBody(#"{"title":"The photos are being moved."}"#)
        return HTTPReply(response: head, body: body)
    }
}
// snippet.end

// snippet.answering-body
struct WithoutPrefix: Interceptor {
    func respond(
        to call: HTTPCall,
        next: NextStages
    ) async throws(ClientError) -> HTTPReply {
        var reply = try await next.respond(to: call)
        var body = Data()
        for try await chunk in reply.body { body += chunk }
        let prefix = Data(")]}'\n".utf8)  // keeps a browser from running the JSON
        if body.starts(with: prefix) { body = body.dropFirst(prefix.count) }
        reply.body = ResponseBody(body)
        return reply
    }
}
// snippet.end

// snippet.answering-stub
struct Stub: Transport {
    let answers: [String: String]

    func respond(to call: HTTPCall) async throws(ClientError) -> HTTPReply {
        let url = call.request.url
        guard let answer = self.answers[url.path()] else {
            return HTTPReply(response: Response(url: url, status: .notFound))
        }
        return HTTPReply(response: Response(url: url), body: ResponseBody(answer))
    }
}

let stub = Stub(answers: ["/albums": #"[{"title":"Dogs"}]"#])
let previewClient = Client(transport: stub)
// snippet.end

func defaults(key: String, language: String) -> Client {
    // snippet.headers-default
    var configuration = Client.Configuration()
    configuration.defaultFields["X-Client"] = "Albums/2.1"
    configuration.defaultFields[.acceptLanguage] = language
    let client = Client(configuration: configuration)
    // snippet.end
    return client
}

func single(_ client: Client, _ url: URL) async throws {
    // snippet.headers-request
    let request = Request(.get, url)
        .header("Accept-Language", "de")
        .header("X-Trace", "7")
    let (data, response) = try await client.data(for: request)
    print(data.count, response["Content-Type"] ?? "")
    // snippet.end
}

// snippet.headers-changing
struct SentAt: Interceptor {
    func respond(
        to call: HTTPCall,
        next: NextStages
    ) async throws(ClientError) -> HTTPReply {
        var call = call
        call.request.fields["X-Sent-At"] = "\(call.clock.date)"
        call.request.fields["X-Attempt"] = "\(call.attempt)"
        return try await next.respond(to: call)
    }
}

// snippet.end

func stamping(_ configuration: inout Client.Configuration) {
    // snippet.headers-changing
    configuration.attemptInterceptors = [SentAt()]
    // snippet.end
}

func secret(_ url: URL, key: String) -> Request {
    // snippet.headers-secret
    let request = Request(.get, url).header("X-Key", key).sensitive("X-Key")
    // snippet.end
    return request
}
