// SPDX-License-Identifier: Apache-2.0
import ClientTestSupport
import HTTPTypes
import Tern
import TernTesting
import TestSupport
import Testing

@Suite("Names of fields as text", .hangLimit)
struct FieldNameTests {
    private struct Adding: Interceptor {
        let name: String

        func respond(to call: HTTPCall, next: NextStages) async throws(ClientError) -> HTTPReply {
            var call = call
            call.request.fields[self.name] = "1"
            return try await next.respond(to: call)
        }
    }

    private func expectRefusal(_ scene: ClientScene, _ request: Request) async {
        let error = await #expect(throws: ClientError.self) { try await scene.client.data(for: request) }
        guard case .invalidRequest(.malformedFieldName, _)? = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect(scene.server.requests.isEmpty)
    }

    @Test func `default fields, a request and an interceptor take text`() async throws {
        var configuration = Client.Configuration()
        configuration.defaultFields["X-Client"] = "Albums"
        configuration.attemptInterceptors = [Adding(name: "X-Attempt")]
        let scene = ClientScene(configuration) { _ in .response(fields: [.contentType: "text/plain"]) }
        var request = Request(url: testURL).header(adding: "X-One", "a").header(adding: "X-One", "b")
        request.fields["X-Two"] = "c"
        let (_, response) = try await scene.client.data(for: request)
        #expect(response["content-type"] == "text/plain")
        let fields = try #require(scene.server.requests.first).fields
        #expect(fields["X-Client"] == "Albums")
        #expect(fields["X-Attempt"] == "1")
        #expect(fields["X-One"] == "a, b")
        #expect(fields["X-Two"] == "c")
    }

    @Test(arguments: ["X Client", "X-Client:", ""])
    func `a name that is none refuses each call, wherever it was set`(name: String) async {
        var configuration = Client.Configuration()
        configuration.defaultFields[name] = "1"
        await self.expectRefusal(ClientScene(configuration) { _ in .response() }, Request(url: testURL))
        configuration = Client.Configuration()
        configuration.attemptInterceptors = [Adding(name: name)]
        await self.expectRefusal(ClientScene(configuration) { _ in .response() }, Request(url: testURL))
        let scene = ClientScene { _ in .response() }
        var request = Request(url: testURL)
        request.fields[name] = "1"
        await self.expectRefusal(scene, request)
        await self.expectRefusal(scene, Request(url: testURL).header(adding: name, "1"))
        await self.expectRefusal(scene, Request(url: testURL).sensitive(name))
    }

    @Test func `a field that is sensitive by the text of its name stays with its origin`() async throws {
        let scene = ClientScene { request in
            request.target == "/" ? .response(.found, fields: [.location: "http://other/x"]) : .response()
        }
        _ = try await scene.client.data(for: Request(url: testURL).header("X-Key", "1").sensitive("x-key"))
        #expect(scene.server.requests.map { $0.fields["X-Key"] } == ["1", nil])
    }
}
