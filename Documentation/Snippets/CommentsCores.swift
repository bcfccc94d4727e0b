// SPDX-License-Identifier: Apache-2.0
// The code in the comments of the modules that need no network.
// scripts/check snippets fails if the two copies differ.
import Foundation
import HTTPTypes
import TernAuthentication
import TernCompression
import TernCookies
import TernHTTP1
import TernProxies
import TernRequests
import TernWebSocketCore

// Functions that a driver would provide; the examples in the comments call them.
extension Data {
    mutating func fill(atLeast byteCount: Int) async throws { self.append(Data(count: byteCount)) }
}
func handle<Part>(_ part: Part) { print(part) }
func handOut(_ output: inout OutputRawSpan) { output.removeAll() }
func makeRoom(in output: inout OutputRawSpan) { output.removeAll() }
func sendAgain() { print("with another nonce") }

func authenticating(
    _ fields: inout HTTPFields,
    to destination: Destination,
    with credential: Credential,
    _ challenge: HTTPChallenge,
    _ newChallenges: [HTTPChallenge],
    cnonce: String
) throws {
    // snippet.comment-authorizer
    var authorizer = try Authorizer(
        challenge,
        credential,
        origin: destination.origin,
        target: destination.target
    )
    fields[.authorization] = try authorizer.fieldValue(
        method: "GET",
        target: destination.target,
        bodyHash: nil,
        cnonce: cnonce
    )
    // …
    if authorizer.challenged(by: newChallenges) == .again { sendAgain() }
    // snippet.end
}

func trusting(_ current: KeyPin, _ next: KeyPin) throws {
    // snippet.comment-trust-policy
    let company = TrustPolicy.only([.pemFile(path: "company-root.pem")])
    let pins = try PinSet(host: "api.example.com", pins: [current], backupPins: [next])
    let pinned = TrustPolicy.system.pinning(pins)
    // snippet.end
    _ = (company, pinned)
}

func decompressing(_ body: AsyncStream<Data>, into output: inout OutputRawSpan) async throws {
    // snippet.comment-content-decoder
    var decoder = try ContentDecoder(.gzip)
    for await part in body {
        var rest = part.bytes
        while true {
            let progress = try decoder.decode(rest, into: &output)
            rest = rest.extracting(droppingFirst: progress.consumedByteCount)
            guard progress.status == .needsOutput else { break }
            handOut(&output)
        }
    }
    handOut(&output)  // the rest
    try decoder.finish()
    // snippet.end
}

func compressing(_ data: Data, into output: inout OutputRawSpan) throws {
    var rest = data.bytes
    // snippet.comment-deflater
    var deflater = try Deflater(.gzip)
    repeat {
        let progress = deflater.deflate(rest, flush: .finish, into: &output)
        rest = rest.extracting(droppingFirst: progress.consumedByteCount)
        if progress.isComplete { break }
        makeRoom(in: &output)
    } while true
    // snippet.end
}

func cookies(_ field: [UInt8], now: Date) throws {
    // snippet.comment-cookie-jar
    var jar = CookieJar()
    let request = CookieRequest(host: "example.com", isSecure: true)
    try jar.receive(SetCookie(parsing: field.span), from: request, at: now)
    let cookies = jar.cookies(for: request, at: now)
    // snippet.end
    _ = cookies
}

func encoding(into memory: UnsafeMutableRawBufferPointer) throws {
    // snippet.comment-request-head
    let head = RequestHead(method: .get, target: "/find?q=tern", host: "example.com")
    try head.validate()
    // The memory has head.encodedByteCountUpperBound bytes.
    var output = OutputRawSpan(buffer: memory, initializedCount: 0)
    head.encode(into: &output)
    // snippet.end
}

func receiving(_ buffer: inout Data) async throws {
    // snippet.comment-response-decoder
    var decoder = ResponseDecoder(method: .get)
    while !decoder.isComplete {
        let step = try decoder.next(buffer.bytes)
        if let event = step.event { handle(event) }  // slice a body before it moves
        buffer.removeFirst(step.consumedByteCount)
        if step.event == nil {
            try await buffer.fill(atLeast: decoder.expectedByteCount)
        }
    }
    // snippet.end
}

func proxies() throws {
    // snippet.comment-proxy
    let proxy = try Proxy("http://user:password@proxy.example:3128")
    let same = Proxy(
        .http,
        host: "proxy.example",
        port: 3128,
        user: "user",
        password: "password"
    )
    // snippet.end
    _ = (proxy, same)
}

func compressing(_ message: Data, by deflater: inout MessageDeflater, into output: inout OutputRawSpan) throws {
    var rest = message.bytes
    // snippet.comment-message-deflater
    repeat {
        let progress = try deflater.compress(rest, isFinal: true, into: &output)
        rest = rest.extracting(droppingFirst: progress.consumedByteCount)
        if progress.isComplete { break }
        makeRoom(in: &output)  // or send what is there as a fragment
    } while true
    // snippet.end
}

func upgrading(_ request: inout HTTPRequest, _ response: HTTPResponse) throws {
    // snippet.comment-client-handshake
    var generator = SystemRandomNumberGenerator()
    let handshake = try ClientHandshake(
        subprotocols: ["chat"],
        deflate: .init(),
        using: &generator
    )
    request.headerFields.append(contentsOf: handshake.fields)
    // …
    let accepted = try handshake.check(
        status: response.status.code,
        fields: response.headerFields
    )
    // snippet.end
    _ = accepted
}

func receivingMessages(
    _ buffer: inout Data,
    after accepted: AcceptedHandshake,
    inflatingInto output: inout OutputRawSpan
) async throws {
    // snippet.comment-websocket-decoder
    var decoder = WebSocketDecoder(deflate: accepted.deflate)
    while true {
        let step = try decoder.next(buffer.bytes, inflatingInto: &output)
        if let event = step.event { handle(event) }  // use its ranges before they move
        buffer.removeFirst(step.consumedByteCount)
        if step.needsOutput { makeRoom(in: &output) }
        if step.event == nil, !step.needsOutput {
            try await buffer.fill(atLeast: decoder.expectedByteCount)
        }
    }
    // snippet.end
}
