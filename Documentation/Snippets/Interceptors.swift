// SPDX-License-Identifier: Apache-2.0
// The code in the article on stages in Sources/Tern/Tern.docc/Articles.
// scripts/check snippets fails if the two copies differ.
import Foundation
import Tern

// snippet.stages-key
struct APIKey: Interceptor {
    let key: String
    let origin: Origin

    func respond(
        to call: HTTPCall,
        next: NextStages
    ) async throws(ClientError) -> HTTPReply {
        var call = call
        if call.destination.origin == self.origin {  // no redirect led away
            call.request = call.request.header("X-API-Key", self.key)
        }
        return try await next.respond(to: call)
    }
}
// snippet.end

// snippet.stages-id
struct RequestID: Interceptor {
    func respond(
        to call: HTTPCall,
        next: NextStages
    ) async throws(ClientError) -> HTTPReply {
        var call = call
        call.request = call.request.header("X-Request-ID", UUID().uuidString)
        return try await next.respond(to: call)
    }
}
// snippet.end

struct Log: Interceptor {
    let name: String
    let print: @Sendable (String) -> Void

    func respond(
        to call: HTTPCall,
        next: NextStages
    ) async throws(ClientError) -> HTTPReply {
        let signedIn = call.request.fields.contains(.authorization) ? ", signed in" : ""
        self.print("\(self.name): \(call.request.method) \(call.request.url.path())\(signedIn)")
        let reply = try await next.respond(to: call)
        self.print("\(self.name): \(reply.response.statusCode)")
        return reply
    }
}

func stages(key: String, api: Origin) -> Client {
    // snippet.stages-places
    var configuration = Client.Configuration()
    configuration.callInterceptors = [RequestID(), Log(name: "call") { print($0) }]
    let attemptLog = Log(name: "attempt") { print($0) }
    configuration.attemptInterceptors = [APIKey(key: key, origin: api), attemptLog]
    // snippet.end
    return Client(configuration: configuration)
}

struct Order: Encodable { var id: String }

func retrying(_ order: Order) -> Request {
    // snippet.retrying-client
    var configuration = Client.Configuration()
    configuration.retry = RetryPolicy(maximumAttemptCount: 4)
    // snippet.end
    _ = configuration
    // snippet.retrying-request
    let request = Request(.post, "https://shop.example.com/orders")
        .body(json: order)
        .idempotent(key: order.id)
        .retry(RetryPolicy(maximumAttemptCount: 5))
    // snippet.end
    // snippet.retrying-refused
    configuration.retry = RetryPolicy(trustsRetryAfter: true)
    // snippet.end
    return request
}

// snippet.retrying-delegate
final class Patience: TaskDelegate {
    func task(
        _ task: TaskInfo,
        willRetryAfter delay: Duration,
        because cause: RetryCause
    ) {
        print("request \(task.attempt) failed; another follows in \(delay)")
    }
}
// snippet.end
