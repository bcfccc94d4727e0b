// SPDX-License-Identifier: Apache-2.0
import ClientTestSupport
import Crypto
import HTTPTypes
import Tern
import TernFoundation
import TernTesting
import TestSupport
import Testing

/// A server that protects bodies with Digest and `auth-int` (RFC 7616 §3.4).
///
/// Its code is independent of the client's code.
private struct DigestServer: Sendable {
    /// The text that the server appends to the body after it has computed the proof.
    var tampering = ""
    var chunked = false

    private static func hash(_ text: String) -> String { self.hash(Array(text.utf8)) }

    private static func hash(_ bytes: [UInt8]) -> String {
        SHA256.hash(data: bytes).map { byte in
            let digits = String(byte, radix: 16)
            return digits.count == 1 ? "0" + digits : digits
        }.joined()
    }

    private static func parameters(_ value: String) -> [String: String] {
        var parameters: [String: String] = [:]
        for part in value.dropFirst("Digest ".count).split(separator: ",") {
            let pair = part.split(separator: "=", maxSplits: 1)
            guard pair.count == 2 else { continue }
            let name = pair[0].drop { $0 == " " }
            parameters[String(name)] = pair[1].filter { $0 != "\"" }
        }
        return parameters
    }

    func answer(_ request: ReceivedRequest) -> ScriptedResponse {
        let challenge: HTTPFields = [
            .wwwAuthenticate: #"Digest realm="birds", nonce="n1", qop="auth-int", algorithm=SHA-256"#
        ]
        guard let value = request.fields[.authorization] else { return .response(.unauthorized, fields: challenge) }
        let told = Self.parameters(value)
        let tail = ["n1", told["nc"] ?? "", told["cnonce"] ?? "", "auth-int"].joined(separator: ":")
        let secret = Self.hash("albert:birds:einstein")
        let content = Self.hash(request.body)
        let asked = Self.hash("\(request.method):\(request.target):\(content)")
        guard told["response"] == Self.hash("\(secret):\(tail):\(asked)") else {
            return .response(.unauthorized, fields: challenge)
        }
        let body = "the birds are well"
        let proof = Self.hash("\(secret):\(tail):\(Self.hash(":\(request.target):\(Self.hash(body))"))")
        let info =
            #"rspauth="\#(proof)", cnonce="\#(told["cnonce"] ?? "")", nc=\#(told["nc"] ?? ""), qop=auth-int"#
        guard self.chunked else {
            return .response(fields: [.authenticationInfo: info], body: body + self.tampering)
        }
        let text = body + self.tampering
        let chunk = "\(String(text.utf8.count, radix: 16))\r\n\(text)\r\n0\r\n\r\n"
        return .raw("HTTP/1.1 200 OK\r\nAuthentication-Info: \(info)\r\nTransfer-Encoding: chunked\r\n\r\n" + chunk)
    }
}

@Suite("Digest: proof over bodies", .hangLimit)
struct DigestProofTests {
    private static let request = Request(.post, "http://test/birds")
        .credential(Credential(user: "albert", password: "einstein"))

    @Test(arguments: [false, true])
    func `a body that was proved is given`(_ chunked: Bool) async throws {
        let server = DigestServer(chunked: chunked)
        let scene = ClientScene { server.answer($0) }
        for _ in 0..<2 {
            let (data, response) = try await scene.client.upload(for: Self.request, from: Data("how?".utf8))
            #expect(response.statusCode == 200)
            #expect(String(decoding: data, as: UTF8.self) == "the birds are well")
        }
        #expect(scene.server.requests.count == 3)
    }

    @Test func `what is hashed is what is sent: forms with files, and compressed bodies`() async throws {
        let folder = try TemporaryFolder()
        let text = String(repeating: "how are the birds? ", count: 1000)
        try folder.write(text, to: "question")
        let file = folder.file("question")
        var requests = [
            Self.request.body(multipart: Multipart().field("a", "1").file("q", file)),
            Self.request.body(data: Data(text.utf8)).compressed(), Self.request.body(file: file).compressed(),
        ]
        for index in requests.indices { requests[index].options.expectsContinue = false }
        for request in requests {
            let server = DigestServer()
            let scene = ClientScene { server.answer($0) }
            #expect(try await scene.client.send(request).statusCode == 200)
            #expect(scene.server.requests.count == 2)
        }
    }

    @Test(arguments: [false, true])
    func `a body that was changed on the way is not`(_ chunked: Bool) async throws {
        let server = DigestServer(tampering: ", said the cat", chunked: chunked)
        let scene = ClientScene { server.answer($0) }
        let error = await failure { () async throws(ClientError) in
            try await scene.client.upload(for: Self.request, from: Data("how?".utf8))
        }
        guard case .authenticationFailed(.serverNotAuthentic, _)? = error else {
            Issue.record("\(String(describing: error))")
            return
        }
    }
}
