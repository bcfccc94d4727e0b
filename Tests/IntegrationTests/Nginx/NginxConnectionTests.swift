// SPDX-License-Identifier: Apache-2.0
import ClientTestSupport
import Foundation
import Tern
import TestSupport
import Testing

@Suite("nginx: connections", .hangLimit)
struct NginxConnectionTests {
    @Test(arguments: Scheme.allCases)
    func `a second call uses the first one's connection`(_ scheme: Scheme) async throws {
        let nginx = try await Nginx.shared
        let client = nginx.makeClient()
        for isReused in [false, true, true] {
            let (_, response) = try await client.data(for: Request(.get, nginx.url(scheme, "/hello.txt")))
            #expect(response.isConnectionReused == isReused)
        }
    }

    @Test(arguments: Scheme.allCases)
    func `a long body leaves the connection for the next call`(_ scheme: Scheme) async throws {
        let nginx = try await Nginx.shared
        let client = nginx.makeClient()
        for isReused in [false, true, true] {
            let (location, response) = try await client.download(for: Request(.get, nginx.url(scheme, "/photo")))
            try FileManager.default.removeItem(at: location)
            #expect(response.isConnectionReused == isReused)
        }
    }

    @Test func `a connection that the server closes after each answer is not used again`() async throws {
        let nginx = try await Nginx.shared
        let client = nginx.makeClient()
        for _ in 0..<5 {
            let (data, response) = try await client.data(for: Request(.get, nginx.url(.http, .closing)))
            #expect(data == Data("closing".utf8))
            #expect(!response.isConnectionReused)
        }
        try await eventually("its connections are closed") {
            OpenSockets.count(toPort: nginx.port(.closing)) == 0
        }
    }

    @Test func `a connection that the server closed while it was idle is noticed, and another one made`() async throws {
        let nginx = try await Nginx.shared
        let client = nginx.makeClient()
        for _ in 0..<10 {
            let (data, _) = try await client.data(for: Request(.get, nginx.url(.http, .impatient)))
            #expect(data == Data("impatient".utf8))
        }
        try await eventually("its connections are closed") {
            OpenSockets.count(toPort: nginx.port(.impatient)) == 0
        }
        let (_, response) = try await client.data(for: Request(.get, nginx.url(.http, .impatient)))
        #expect(!response.isConnectionReused)
    }

    @Test(arguments: Scheme.allCases)
    func `64 calls at once all succeed`(_ scheme: Scheme) async throws {
        let nginx = try await Nginx.shared
        let client = nginx.makeClient()
        try await withThrowingTaskGroup(of: Data.self) { group in
            for _ in 0..<64 {
                group.addTask { try await client.data(for: Request(.get, nginx.url(scheme, "/lines.txt"))).0 }
            }
            let content = try nginx.content("/lines.txt")
            for try await data in group { expectEqual(data, content) }
        }
    }

    @Test func `calls past the limit of connections wait their turn`() async throws {
        let nginx = try await Nginx.shared
        let client = nginx.makeClient { $0.pool.maximumConnectionsPerHost = 2 }
        let reusedCount = try await withThrowingTaskGroup(of: Bool.self) { group in
            for _ in 0..<40 {
                group.addTask {
                    let request = Request(.get, nginx.url(.http, "/hello.txt"))
                    return try await client.data(for: request).1.isConnectionReused
                }
            }
            return try await group.reduce(into: 0) { $0 += $1 ? 1 : 0 }
        }
        // 39 if the first connection served every call before the second was open.
        #expect(38...39 ~= reusedCount)
    }

    @Test func `sixty-four first calls over TLS make no more handshakes than there are places`() async throws {
        let nginx = try await Nginx.shared
        let client = nginx.makeClient { $0.pool.maximumConnectionsPerHost = 4 }
        let handshakeCount = try await withThrowingTaskGroup(of: Bool.self) { group in
            for _ in 0..<64 {
                group.addTask {
                    let request = Request(.get, nginx.url(.https, "/hello.txt"))
                    let response = try await client.data(for: request).1
                    #expect(response.tls != nil)
                    return response.isConnectionReused
                }
            }
            return try await group.reduce(into: 0) { $0 += $1 ? 0 : 1 }
        }
        #expect(1...4 ~= handshakeCount)
    }

    @Test func `a Unix-domain socket is as good as a port`() async throws {
        let nginx = try await Nginx.shared
        let client = nginx.makeClient()
        let request = Request(.get, "http://in.the.socket/host").unixSocket(path: nginx.socketPath)
        for isReused in [false, true] {
            let (data, response) = try await client.data(for: request)
            #expect(String(decoding: data, as: UTF8.self) == "in.the.socket")
            #expect(response.isConnectionReused == isReused)
        }
    }

    @Test(arguments: Scheme.allCases, ["127.0.0.1", "localhost", "[::1]"])
    func `addresses and names lead to the server`(_ scheme: Scheme, host: String) async throws {
        let nginx = try await Nginx.shared
        let call = { () async throws(ClientError) in
            try await nginx.makeClient().data(for: Request(.get, nginx.url(scheme, "/host", host: host)))
        }
        if host == "[::1]", !FileManager.default.fileExists(atPath: "/proc/net/if_inet6") {
            #expect(await fault(of: call) == .connectionFailed(.unreachable))
        } else {
            let port = nginx.port(scheme == .http ? .plain : .tls)
            #expect(String(decoding: try await call().0, as: UTF8.self) == "\(host):\(port)")
        }
    }

    @Test func `releasing a client closes its idle connections`() async throws {
        let server = try await RawServer()
        var client: Client? = Client(configuration: .patient)
        _ = try await client?.data(for: server.get("/fine"))
        #expect(server.connectionCount == 1)
        client = nil
        try await server.isLeft()
    }

    @Test func `an idle connection is closed after its time`() async throws {
        let server = try await RawServer()
        var configuration = Client.Configuration.patient
        configuration.pool.idleTimeout = .milliseconds(50)
        let client = Client(configuration: configuration)
        _ = try await client.data(for: server.get("/fine"))
        try await server.isLeft()
        let (_, response) = try await client.data(for: server.get("/fine"))
        #expect(!response.isConnectionReused)
    }
}
