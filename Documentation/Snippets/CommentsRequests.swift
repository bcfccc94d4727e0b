// SPDX-License-Identifier: Apache-2.0
// The code in the comments of the modules that make requests and validate
// responses. scripts/check snippets fails if the two copies differ.
import Foundation
import HTTPTypes
import TernErrors
import TernRequests
import TernRetry
import TernTransport
import TernValidation

struct Photo: Codable { var title: String }
struct Order: Codable { var id: String }
struct PhotoServiceError: Decodable { var message: String }

func show(_ text: String) { print(text) }

func form(_ photoURL: URL) {
    // snippet.comment-multipart
    let form = Multipart()
        .field("title", "Sunset")
        .file("photo", photoURL, contentType: "image/jpeg")
    // snippet.end
    _ = form
}

func searching(_ url: URL) {
    // snippet.comment-form-encoder
    struct Search: Encodable { var text: String; var tags: [String] }
    // ?tags[]=a&tags[]=b&text=sea, with the brackets percent-encoded
    let request = Request(url: url).query(Search(text: "sea", tags: ["a", "b"]))
    // snippet.end
    _ = request
}

func requesting(_ photo: Photo, userID: Int) {
    // snippet.comment-request
    let request = Request(.post, "https://api.example.com")
        .path("users")
        .pathSegment(userID)
        .query("page", 2)
        .header(.accept, "application/json")
        .body(json: photo)
    // snippet.end
    _ = request
}

func answering(_ call: HTTPCall) -> HTTPReply {
    // snippet.comment-response-made
    let response = Response(
        url: call.request.url,
        status: .serviceUnavailable,
        fields: [.retryAfter: "120"]
    )
    let body = ResponseBody("The service is being updated.")
    return HTTPReply(response: response, body: body)
    // snippet.end
}

func askingAgain(_ call: HTTPCall, _ next: NextStages) async throws(ClientError) -> HTTPReply {
    // snippet.comment-reply-discard
    var reply = try await next.respond(to: call)
    if reply.response.statusCode == 425 {
        reply.discardBody()
        reply = try await next.respond(to: call)
    }
    // snippet.end
    return reply
}

func bodies(_ file: URL) throws {
    // snippet.comment-response-body
    let greeting = ResponseBody("hello")
    let photo = ResponseBody(try Data(contentsOf: file))
    let lines = ResponseBody(chunks: ["one\n", "two\n"].map { Data($0.utf8) })
    // snippet.end
    _ = (greeting, photo, lines)
}

func tracing(_ request: inout Request) {
    // snippet.comment-request-option
    enum Trace: RequestOption { typealias Value = String }
    request.options[Trace.self] = "7f3a"
    // snippet.end
}

func text(_ url: String, title: String, tags: [String]) {
    // snippet.comment-json-text
    let request = Request(.post, url)
        .body(jsonText: #"{"title": "\#(title)", "tags": \#(tags)}"#)
    // snippet.end
    _ = request
}

func target(id: Int, size: Int) {
    // snippet.comment-request-target
    let request = Request(.get, "https://api.example.com")
        .target("/photos/\(id)/image?size=\(size)")
    // snippet.end
    _ = request
}

func retrying(_ order: Order, _ url: String) {
    // snippet.comment-request-retry
    let request = Request(.post, url)
        .body(json: order)
        .idempotent(key: order.id)
        .retry(RetryPolicy())
    // snippet.end
    _ = request
}

func failing(_ error: ClientError) {
    // snippet.comment-error-content
    if let reason = error.decoded(as: PhotoServiceError.self) { show(reason.message) }
    // snippet.end
}

func validating(_ url: URL) {
    // snippet.comment-request-validation
    let request = Request(url: url).validate(.success, .contentType("application/json"))
    // snippet.end
    _ = request
}

// snippet.comment-interceptor
struct Tagging: Interceptor {
    func respond(
        to call: HTTPCall,
        next: NextStages
    ) async throws(ClientError) -> HTTPReply {
        var call = call
        call.request = call.request.header(.userAgent, "Tag/1.0")
        return try await next.respond(to: call)
    }
}
// snippet.end
