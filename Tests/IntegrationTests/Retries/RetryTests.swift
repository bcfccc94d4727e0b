// SPDX-License-Identifier: Apache-2.0
import ClientTestSupport
import Foundation
import Tern
import TernTesting
import TestSupport
import Testing

@Suite("Retries and strict transport, with real peers", .hangLimit)
struct RetryTests {
    private let policy = RetryPolicy(backoff: Backoff(initialDelay: .milliseconds(20)))

    /// Returns the number of retries.
    private static func retryCount(_ delegate: RecordingDelegate) -> Int {
        delegate.events.filter { if case .retried = $0 { true } else { false } }.count
    }

    @Test(
        "the status of httpbin determines the number of retries",
        arguments: [(503, 2), (500, 2), (429, 2), (404, 0), (501, 0), (200, 0)]
    )
    func statuses(_ status: Int, _ count: Int) async throws {
        let bin = try await HTTPBin.shared
        let delegate = RecordingDelegate()
        let request = Request(.get, bin.url("/status/\(status)")).retry(self.policy)
        let (_, response) = try await Client(configuration: .patient).data(for: request, delegate: delegate)
        #expect(response.statusCode == status)
        #expect(Self.retryCount(delegate) == count)
    }

    @Test(
        "the client repeats a request whose connection breaks before the head",
        arguments: ["/reset-before-head", "/close-in-head", "/reset-in-head"]
    )
    func broken(_ path: String) async throws {
        let server = try await RawServer()
        let delegate = RecordingDelegate()
        let client = Client(configuration: .patient)
        let error = await failure { () async throws(ClientError) in
            try await client.data(for: server.get(path).retry(self.policy), delegate: delegate)
        }
        #expect(error?.isRetryable == true, "\(String(describing: error))")
        #expect(Self.retryCount(delegate) == 2)
        try await server.isLeft()
    }

    @Test(
        "the client does not repeat a request whose body breaks off",
        arguments: ["/close-in-body", "/close-in-chunk"]
    )
    func begun(_ path: String) async throws {
        let server = try await RawServer()
        let delegate = RecordingDelegate()
        let client = Client(configuration: .patient)
        let fault = await fault { () async throws(ClientError) in
            try await client.data(for: server.get(path).retry(self.policy), delegate: delegate)
        }
        #expect(fault != nil)
        #expect(Self.retryCount(delegate) == 0)
        try await server.isLeft()
    }

    @Test func `a host that was met by https is asked by https, and no other way`() async throws {
        let nginx = try await Nginx.shared
        let store = MemoryStrictTransportStore()
        let client = nginx.makeClient { $0.strictTransport = store }
        let (first, _) = try await client.data(for: Request(.get, nginx.url(.http, "/strict")))
        #expect(String(decoding: first, as: UTF8.self) == "http")
        #expect(store.hosts.count == 0, "nothing is believed that came over plain HTTP")
        _ = try await client.data(for: Request(.get, nginx.url(.https, "/strict")))
        #expect(store.hosts.count == 1)
        // The URL keeps the port for TLS, which answers a plain HTTP request with 400.
        let plain = nginx.url(.https, "/strict").replacing("https:", with: "http:")
        let (data, response) = try await client.data(for: Request(.get, plain))
        #expect(String(decoding: data, as: UTF8.self) == "https")
        #expect(response.url.scheme == "https")
        let (_, refused) = try await nginx.makeClient().data(for: Request(.get, plain))
        #expect(refused.statusCode == 400)
    }
}
