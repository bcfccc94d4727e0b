// SPDX-License-Identifier: Apache-2.0
import ClientTestSupport
import HTTPTypes
import Tern
import TernTesting
import TestSupport
import Testing

@Suite("Challenges that cannot be read as a whole", .hangLimit)
struct UnreadableChallengeTests {
    private static let albert = Credential(user: "albert", password: "einstein")

    /// Returns the field that the client sends to a server that challenges with these field lines.
    private func answer(to lines: [[UInt8]]) async throws -> HTTPField? {
        var head = Array("HTTP/1.1 401 Unauthorized\r\nContent-Length: 0\r\n".utf8)
        for line in lines { head += Array("WWW-Authenticate: ".utf8) + line + Array("\r\n".utf8) }
        head += Array("\r\n".utf8)
        let scene = ClientScene { [head] request in
            request.fields[.authorization] == nil ? ScriptedResponse(head: head) : .response(body: "welcome")
        }
        _ = try await scene.client.data(for: Request(url: testURL).credential(Self.albert))
        return scene.server.requests.last?.fields[fields: .authorization].first
    }

    static let lines: [[String]] = [
        [#"Digest realm="never ends"#, #"Basic realm="x""#], [#"Basic realm="x""#, "Newauth a b c"],
        [#"Basic realm="x", Newauth a b c"#], ["Basic realm=My Router"], ["Basic realm=My Router, Newauth a=b"],
    ]

    @Test(arguments: lines)
    func `those that can be read are answered`(_ lines: [String]) async throws {
        let field = try await self.answer(to: lines.map { Array($0.utf8) })
        #expect(field?.value == "Basic YWxiZXJ0OmVpbnN0ZWlu")
    }

    @Test func `without one the 401 is the response`() async throws {
        #expect(try await self.answer(to: [Array("Newauth a b c".utf8)]) == nil)
    }

    @Test func `what is not UTF-8 goes back as it came`() async throws {
        let realm: [UInt8] = [0x42, 0xFC, 0x72, 0x6F]
        let line = Array("Digest realm=\"".utf8) + realm + Array("\", nonce=\"n\", opaque=\"".utf8)
        let field = try #require(try await self.answer(to: [line + [0xE9] + Array("\", qop=\"auth\"".utf8)]))
        let sent = field.withUnsafeBytesOfValue { Array($0) }
        #expect(sent.firstRange(of: Array("realm=\"".utf8) + realm + Array("\"".utf8)) != nil)
        #expect(sent.firstRange(of: Array("opaque=\"".utf8) + [0xE9] + Array("\"".utf8)) != nil)
    }
}
