// SPDX-License-Identifier: Apache-2.0
import ClientTestSupport
import Foundation
import HTTPTypes
import Tern
import TestSupport
import Testing

/// Tests statuses, redirects, cookies, validators, and many calls at the same time.
@Suite("HTTP API scenarios: answers", .hangLimit)
struct AnswerScenarios {
    @Test(arguments: ["moved", "moved-for-good"])
    func `a redirect is followed`(name: String) async throws {
        let server = try await ScenarioServer()
        let seen = try await server.seen(server.get(name))
        #expect(seen.method == "GET")
        #expect(seen.body.isEmpty)
    }

    @Test func `a redirect in a circle ends`() async throws {
        let server = try await ScenarioServer()
        let fault = await fault { () async throws(ClientError) in
            try await server.client.data(for: server.get("ping"))
        }
        guard case .redirectFailed? = fault else {
            Issue.record("\(String(describing: fault))")
            return
        }
    }

    @Test(arguments: [("missing", 404), ("unknown-status", 999)])
    func `a status is given as it is`(name: String, status: Int) async throws {
        let server = try await ScenarioServer()
        let (text, response) = try await server.text(server.get(name))
        #expect(response.statusCode == status)
        #expect(text.isEmpty)
    }

    @Test func `a hundred calls at once all get their answers`() async throws {
        let server = try await ScenarioServer()
        let statuses = try await withThrowingTaskGroup(of: Int.self) { group in
            for _ in 0..<100 {
                group.addTask {
                    let (text, response) = try await server.text(server.get("request"))
                    #expect(!text.isEmpty)
                    return response.statusCode
                }
            }
            return try await group.reduce(into: []) { $0.append($1) }
        }
        #expect(statuses == Array(repeating: 200, count: 100))
    }

    @Test func `a cookie comes back with the next call`() async throws {
        let server = try await ScenarioServer { $0.cookieStore = MemoryCookieStore() }
        let (_, response) = try await server.text(server.get("cookie"))
        #expect(response.fields[values: .setCookie].count == 1)
        #expect(try await server.seen(server.get("request")).values("Cookie") == ["visit=7"])
    }

    @Test func `a 304 confirms an entity tag, and its fields replace those of the stored response`() async throws {
        let server = try await ScenarioServer { $0.cache = MemoryCacheStore() }
        let request = server.get("tag").query("id", ScenarioServer.makeID())
        for number in 0..<3 {
            for confirmation in ["no", "yes"] {
                let (text, response) = try await server.text(request)
                #expect(response.status == .ok)
                #expect(response["X-Confirmed"] == confirmation)
                #expect(response[.eTag] == "\"\(number)\"")
                #expect(text == "\(number)")
            }
        }
    }
}
