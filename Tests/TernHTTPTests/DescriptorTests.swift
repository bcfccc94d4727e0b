// SPDX-License-Identifier: Apache-2.0
import ClientTestSupport
import HTTPTypes
import TernConnections
import TernErrors
import TernHTTP
import TernRequests
import TernTesting
import TestSupport
import Testing

/// Tests that the pool closes idle connections if there is no free descriptor for a new connection.
@Suite("Out of descriptors", .hangLimit)
struct DescriptorTests {
    private static let failure = ConnectionError.notConnected(.tooManyOpenFiles)

    @Test func `an idle connection is given up for a new one`() async throws {
        let scene = Scene { _ in .response(body: "fine") }
        _ = try await scene.answer(to: Request(.get, "http://first/"))
        _ = try await scene.answer(to: Request(.get, "http://second/"))
        scene.connector.plan(.refuse(Self.failure))
        #expect(try await scene.answer(to: Request(.get, "http://third/")) == Answer(text: "fine"))
        #expect(scene.connector.attemptCount == 4)
        scene.expectNoLeak(idle: 2)
        // The pool has closed the connection that was idle longest, and kept the other one.
        #expect(try await scene.answer(to: Request(.get, "http://second/")).isReused)
        #expect(try await !scene.answer(to: Request(.get, "http://first/")).isReused)
    }

    @Test func `as many are given up as it takes, and no more than there are`() async throws {
        let scene = Scene { _ in .response(body: "fine") }
        for host in ["first", "second", "third"] { _ = try await scene.answer(to: Request(.get, "http://\(host)/")) }
        scene.connector.plan(.refuse(Self.failure), .refuse(Self.failure))
        _ = try await scene.answer(to: Request(.get, "http://fourth/"))
        scene.expectNoLeak(idle: 2)
        scene.connector.plan(.refuse(Self.failure), .refuse(Self.failure), .refuse(Self.failure))
        let failure = await scene.failure(of: Request(.get, "http://fifth/"))
        guard case .connectionFailed(.tooManyOpenFiles, _)? = failure else {
            Issue.record("it gave \(String(describing: failure))")
            return
        }
        scene.expectNoLeak(idle: 0)
        #expect(try await scene.answer(to: Request(.get, "http://fifth/")) == Answer(text: "fine"))
    }

    @Test func `other failures cost no idle connection`() async throws {
        let scene = Scene { _ in .response(body: "fine") }
        _ = try await scene.answer(to: Request(.get, "http://first/"))
        scene.connector.plan(.refuse(.notConnected(.refused)))
        #expect(await scene.failure(of: Request(.get, "http://second/")) != nil)
        scene.expectNoLeak(idle: 1)
    }
}
