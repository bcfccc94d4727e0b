// SPDX-License-Identifier: Apache-2.0
import ClientTestSupport
import Foundation
import Tern
import TestSupport
import Testing

@Suite("Misuse: servers that cannot be reached", .hangLimit)
struct UnreachableTests {
    @Test(arguments: ["127.0.0.1", "localhost"])
    func `a port where nobody listens refuses`(_ host: String) async throws {
        let port = try LoopbackPort()
        let error = await failure { () async throws(ClientError) in
            try await Client(configuration: .patient).data(for: Request(.get, "http://\(host):\(port.number)/"))
        }
        #expect(error?.fault == .connectionFailed(.refused))
        #expect(error?.context.phase == .connect)
        #expect(error?.context.origin == "http://\(host):\(port.number)")
        #expect(error?.isRetryable == true)
        withExtendedLifetime(port) {}
    }

    @Test func `a name without an address is reported`() async throws {
        let error = await failure { () async throws(ClientError) in
            try await Client(configuration: .patient).data(for: Request(.get, "http://nothing.invalid/"))
        }
        guard case .connectionFailed(.resolution)? = error?.fault else {
            Issue.record("it gave \(String(describing: error))")
            return
        }
        #expect(error?.isConnectivity == true)
    }

    @Test func `a socket that does not exist, and one that nobody listens on, are reported`() async throws {
        let folder = try TemporaryFolder()
        try folder.write("", to: "file")
        for (name, expected) in [("missing", ConnectionFailure.socketNotFound), ("file", .refused)] {
            let request = Request(.get, "http://localhost/").unixSocket(path: folder.file(name).path)
            let fault = await fault { () async throws(ClientError) in
                try await Client(configuration: .patient).data(for: request)
            }
            #expect(fault == .connectionFailed(expected))
        }
    }

    @Test(arguments: [
        (Timeouts.patient(connect: .milliseconds(200)), Timeout.connect), (Timeouts.patient(call: .seconds(2)), .call),
    ])
    func `a server that does not take connections is given up`(_ timeouts: Timeouts, _ expected: Timeout) async throws {
        let server = try await RawServer()
        let client = Client(configuration: .patient)
        let request = Request(.get, "http://127.0.0.1:\(server.fullPort)/").timeouts(timeouts)
        let error = await failure { () async throws(ClientError) in try await client.data(for: request) }
        #expect(error?.fault == .timedOut(expected))
        #expect(error?.context.phase == .connect)
        try await eventually("no connection is being made") { OpenSockets.count(toPort: server.fullPort) == 0 }
    }
}
