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
    @Test(arguments: TestedTransport.allCases, ["moved", "moved-for-good"])
    func `a redirect is followed`(by transport: TestedTransport, name: String) async throws {
        let server = try await ScenarioServer(transport)
        let seen = try await server.seen(server.get(name))
        #expect(seen.method == "GET")
        #expect(seen.body.isEmpty)
    }

    @Test(arguments: TestedTransport.allCases)
    func `a redirect in a circle ends`(by transport: TestedTransport) async throws {
        let server = try await ScenarioServer(transport)
        let fault = await fault { () async throws(ClientError) in
            try await server.client.data(for: server.get("ping"))
        }
        guard case .redirectFailed? = fault else {
            Issue.record("\(String(describing: fault))")
            return
        }
    }

    @Test(arguments: TestedTransport.allCases, [(name: "missing", status: 404), (name: "unknown-status", status: 999)])
    func `a status is given as it is`(by transport: TestedTransport, _ answer: (name: String, status: Int)) async throws
    {
        let server = try await ScenarioServer(transport)
        let (text, response) = try await server.text(server.get(answer.name))
        #expect(response.statusCode == answer.status)
        #expect(text.isEmpty)
    }

    @Test(arguments: TestedTransport.allCases)
    func `a hundred calls at once all get their answers`(by transport: TestedTransport) async throws {
        let server = try await ScenarioServer(transport)
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

    @Test(arguments: TestedTransport.allCases)
    func `a cookie comes back with the next call`(by transport: TestedTransport) async throws {
        let server = try await ScenarioServer(transport) { $0.cookieStore = MemoryCookieStore() }
        let (_, response) = try await server.text(server.get("cookie"))
        #expect(response.fields[values: .setCookie].count == 1)
        #expect(try await server.seen(server.get("request")).values("Cookie") == ["visit=7"])
    }

    @Test(arguments: TestedTransport.allCases)
    func `a 304 confirms an entity tag, and its fields replace those of the stored response`(
        by transport: TestedTransport
    ) async throws {
        let server = try await ScenarioServer(transport) { $0.cache = MemoryCacheStore() }
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
