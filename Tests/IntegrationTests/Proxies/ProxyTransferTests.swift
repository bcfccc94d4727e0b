// SPDX-License-Identifier: Apache-2.0
import ClientTestSupport
import Foundation
import Tern
import TernProxies
import TestSupport
import Testing

@Suite("Proxies: transfers", .hangLimit)
struct ProxyTransferTests {
    @Test(arguments: Way.allCases, Scheme.allCases)
    func `a call comes through, and the next one uses its connection`(_ way: Way, _ scheme: Scheme) async throws {
        let nginx = try await Nginx.shared
        let client = try await way.makeClient()
        let isTunnel = way.isSOCKS || scheme == .https
        for number in 0..<8 {
            let delegate = MetricsDelegate()
            let request = Request(.get, nginx.url(scheme, "/hello.txt"))
            let (text, response) = try await client.text(request, delegate: delegate)
            #expect(text == "hello\n")
            // The user of the proxy's URL goes out with the first request, so that no proxy sends a challenge.
            #expect(response.isConnectionReused == (number > 0))
            // The TLS facts are those of the server, and not those of the proxy.
            #expect((response.tls != nil) == (scheme == .https))
            #expect(delegate.hasTunnelled == (isTunnel && number == 0))
        }
    }

    @Test(arguments: Way.allCases, Scheme.allCases)
    func `a long body comes through`(_ way: Way, _ scheme: Scheme) async throws {
        let nginx = try await Nginx.shared
        let request = Request(.get, nginx.url(scheme, "/photo")).header(.range, "bytes=0-2999999")
        let (location, response) = try await way.makeClient().download(for: request)
        defer { try? FileManager.default.removeItem(at: location) }
        #expect(response.status == .partialContent)
        try expectEqual(Data(contentsOf: location), nginx.content("/photo").prefix(3_000_000))
    }

    @Test(arguments: Way.allCases, Scheme.allCases)
    func `a long body goes through, from memory, a file and a stream`(_ way: Way, _ scheme: Scheme) async throws {
        let apache = try await Apache.shared
        let client = try await way.makeClient()
        let content = try Data.random(byteCount: 3_000_000)
        let folder = try TemporaryFolder()
        try content.write(to: folder.file("content"))
        let name = "\(way)-\(scheme)"
        let request = { (kind: String) in Request(.put, apache.url(scheme, .open, "\(name)-\(kind)")) }
        let first = try await client.upload(for: request("memory"), from: content)
        let second = try await client.upload(for: request("file"), fromFile: folder.file("content"))
        // The proxy has already accepted the credential, so the client need not send the stream twice.
        let pieces = Pieces(count: 30, byteCount: 100_000)
        let third = try await client.data(for: request("stream").body(stream: pieces))
        for response in [first.1, second.1, third.1] { #expect(response.status == .created) }
        try expectEqual(apache.content(.open, "\(name)-memory"), content)
        try expectEqual(apache.content(.open, "\(name)-file"), content)
        #expect(try apache.content(.open, "\(name)-stream").count == 3_000_000)
    }

    @Test(arguments: Way.allCases)
    func `many calls at once all come through`(_ way: Way) async throws {
        let apache = try await Apache.shared
        let client = try await way.makeClient { $0.pool.maximumConnectionsPerHost = 8 }
        let texts = try await withThrowingTaskGroup(of: String.self) { group in
            for number in 0..<32 {
                let scheme: Scheme = number.isMultiple(of: 2) ? .http : .https
                group.addTask { try await client.text(Request(.get, apache.url(scheme, .open))).0 }
            }
            return try await group.reduce(into: []) { $0.append($1) }
        }
        #expect(texts == Array(repeating: "hello\n", count: 32))
    }

    @Test(arguments: Way.squids)
    func `names that only the proxy knows are for it to look up`(_ way: Way) async throws {
        let apache = try await Apache.shared
        let client = try await way.makeClient()
        let url = apache.url(.http, .open, host: "proxied.test")
        #expect(try await client.text(Request(.get, url)).0 == "hello\n")
        let request = Request(.get, url).proxy(.direct)
        let direct = await fault { () async throws(ClientError) in try await client.data(for: request) }
        guard case .connectionFailed(.resolution) = direct else {
            Issue.record("\(String(describing: direct))")
            return
        }
    }

    @Test(arguments: Scheme.allCases)
    func `a SOCKS proxy looks names up`(_ scheme: Scheme) async throws {
        let client = try await Way.socks.makeClient()
        let request = Request(.get, "\(scheme)://no-such-name.invalid/")
        let fault = await fault { () async throws(ClientError) in try await client.data(for: request) }
        guard case .proxyFailed(.socks) = fault else {
            Issue.record("\(String(describing: fault))")
            return
        }
    }
}

/// Records whether the call opened a tunnel.
final class MetricsDelegate: TaskDelegate {
    private let tunnelled = Flag()

    var hasTunnelled: Bool { self.tunnelled.isRaised }

    func task(_ task: TaskInfo, didCollect metrics: TaskMetrics) {
        if metrics.transactions.contains(where: { $0.tunnelling != nil }) { self.tunnelled.raise() }
    }
}
