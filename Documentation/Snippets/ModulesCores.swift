// SPDX-License-Identifier: Apache-2.0
// The code in the pages of the modules that need no network. scripts/check snippets
// fails if the two copies differ.
import Foundation
import HTTPTypes
import TernAuthentication
import TernCaching
import TernCompression
import TernCookies
import TernHTTP1
import TernRequests
import TernWebSocketCore

// Functions that a driver would provide; the examples on the pages call them.
extension Data {
    mutating func fill(atLeast byteCount: Int) async throws { self.append(Data(count: byteCount)) }
}
func handle<Part>(_ part: Part) { print(part) }
func handOut(_ output: inout OutputRawSpan) { output.removeAll() }
func makeRoom(in output: inout OutputRawSpan) { output.removeAll() }
func fail() { print("nothing is stored") }
func ask(with validators: HTTPFields = [:]) { print(validators) }

func authenticating(
    _ request: inout HTTPRequest,
    to destination: Destination,
    after response: HTTPResponse,
    store: any CredentialStore,
    cnonce: String
) async throws {
    let (origin, target) = (destination.origin, destination.target)
    // snippet.module-authentication
    let values = response.headerFields[values: .wwwAuthenticate]
    let challenges = try HTTPChallenge.parse(values)
    for challenge in ChallengeRanking.strongestFirst(challenges) {
        let space = ProtectionSpace(
            origin: origin,
            scheme: challenge.scheme,
            realm: challenge.realm
        )
        guard let credential = await store.credential(for: space) else { continue }
        var authorizer = try Authorizer(
            challenge,
            credential,
            origin: origin,
            target: target
        )
        let value = try authorizer.fieldValue(
            method: "GET",
            target: target,
            bodyHash: nil,
            cnonce: cnonce
        )
        request.headerFields[.authorization] = value
        break
    }
    // snippet.end
}

enum Afterwards { case nothing, validateInBackground }
func answer(with stored: StoredResponse?, and afterwards: Afterwards = .nothing) { print(afterwards) }

func caching(_ request: RequestHead, stored: StoredResponse?, now: Int64) {
    // snippet.module-caching
    switch CacheDecision(request.fields, .useProtocol, stored: stored, now: now) {
    case .serve: answer(with: stored)
    case .serveWhileRevalidating: answer(with: stored, and: .validateInBackground)
    case .revalidate(let validators): ask(with: validators)
    case .forward: ask()
    case .refuse: fail()  // the request accepts only a stored response
    }
    // snippet.end
}

func decompressing(_ received: Data, into output: inout OutputRawSpan) throws {
    // snippet.module-compression
    let limits = InflationLimits(maximumByteCount: 10 << 20)
    var decoder = try ContentDecoder(.gzip, limits: limits)
    var rest = received.bytes
    while true {
        let progress = try decoder.decode(rest, into: &output)
        rest = rest.extracting(droppingFirst: progress.consumedByteCount)
        guard progress.status == .needsOutput else { break }
        handOut(&output)
    }
    handOut(&output)  // the rest
    try decoder.finish()  // once there is no more to receive
    // snippet.end
}

func cookies(_ received: Data, now: Date) throws {
    // snippet.module-cookies
    var jar = CookieJar()
    let request = CookieRequest(host: "example.com", isSecure: true, path: "/photos")
    try jar.receive(SetCookie(parsing: received.span), from: request, at: now)
    let field = Cookie.fieldValue(of: jar.cookies(for: request, at: now))
    // snippet.end
    _ = field
}

func fields(_ received: Data) throws {
    // snippet.module-fields
    var decoder = ResponseDecoder(method: .get)
    let step = try decoder.next(received.bytes)
    if case .head(let head)? = step.event {
        print(head.fields[.contentType] ?? "no type")  // the first value
        print(head.fields.makeHTTPFields()[values: .wwwAuthenticate])  // each value
    }
    // snippet.end
}

func receiving(_ buffer: inout Data) async throws {
    // snippet.module-http1
    var decoder = ResponseDecoder(method: .get)
    while !decoder.isComplete {
        let step = try decoder.next(buffer.bytes)
        if let event = step.event { handle(event) }
        buffer.removeFirst(step.consumedByteCount)
        if step.event == nil {
            try await buffer.fill(atLeast: decoder.expectedByteCount)
        }
    }
    // snippet.end
}

func receivingMessages(
    _ buffer: inout Data,
    after accepted: AcceptedHandshake,
    inflatingInto output: inout OutputRawSpan
) async throws {
    // snippet.module-websocket-core
    var decoder = WebSocketDecoder(deflate: accepted.deflate)
    while true {
        let step = try decoder.next(buffer.bytes, inflatingInto: &output)
        if let event = step.event { handle(event) }
        buffer.removeFirst(step.consumedByteCount)
        if step.needsOutput { makeRoom(in: &output) }
        if step.event == nil, !step.needsOutput {
            try await buffer.fill(atLeast: decoder.expectedByteCount)
        }
    }
    // snippet.end
}
