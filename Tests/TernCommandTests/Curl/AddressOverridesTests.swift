// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import Tern
import TernConnections
import Testing

@testable import TernCommand

@Suite("Other places to connect to")
struct AddressOverridesTests {
    private static func endpoints(
        _ host: String,
        _ port: Int,
        resolve: [String] = [],
        connectTo: [String] = []
    ) throws -> [ConnectionEndpoint] {
        let overrides = AddressOverrides(
            connectTo: try connectTo.map { try #require(ConnectToArgument(argument: $0)) },
            resolve: try resolve.map { try #require(AddressArgument(argument: $0)) }
        )
        return overrides.endpoints(for: .host(host, port: port))
    }

    @Test func `a host at its port has the addresses that were typed`() throws {
        let rules = ["a:80:1.2.3.4,[::1]", "*:81:5.6.7.8", "[::2]:80:9.9.9.9", "+b:80:1.1.1.1", "b:80:2.2.2.2"]
        #expect(
            try Self.endpoints("a", 80, resolve: rules) == [.host("1.2.3.4", port: 80), .host("::1", port: 80)]
        )
        #expect(try Self.endpoints("A", 81, resolve: rules) == [.host("5.6.7.8", port: 81)])
        #expect(try Self.endpoints("::2", 80, resolve: rules) == [.host("9.9.9.9", port: 80)])
        #expect(try Self.endpoints("b", 80, resolve: rules) == [.host("2.2.2.2", port: 80)])
        #expect(try Self.endpoints("c", 80, resolve: rules) == [.host("c", port: 80)])
    }

    @Test func `another host and port take the place of the first`() throws {
        #expect(try Self.endpoints("a", 80, connectTo: ["a:80:b:81"]) == [.host("b", port: 81)])
        #expect(try Self.endpoints("a", 80, connectTo: ["::b:"]) == [.host("b", port: 80)])
        #expect(try Self.endpoints("a", 80, connectTo: ["x:80:b:81", "a::[::1]:9"]) == [.host("::1", port: 9)])
        #expect(try Self.endpoints("a", 80, connectTo: ["a:81:b:82"]) == [.host("a", port: 80)])
        let both = try Self.endpoints("a", 80, resolve: ["b:81:1.2.3.4"], connectTo: ["a:80:b:81"])
        #expect(both == [.host("1.2.3.4", port: 81)])
    }

    @Test(arguments: [("-4", "127.0.0.1,[::1]"), ("-6", "[::1],127.0.0.1")])
    func `a name with addresses of both families has those of the option`(option: String, list: String) async throws {
        let url = "http://dogs.example:1/"  // no server listens at this port
        let words = try CommandArguments(["-x", "", option, "--resolve", "dogs.example:1:\(list)", url]).words
        let options = try GetCommand.parse(Array(words.dropFirst())).connection
        let delegate = CommandDelegate(options, ScriptedQuestioner())
        let (client, request) = try await options.prepare(.get, url, timeout: nil, delegate)
        let error = await #expect(throws: ClientError.self) { try await client.data(for: request) }
        // Without the option, the connection to the last address would be refused.
        guard case .connectionFailed(.unreachable, _)? = error else {
            Issue.record("\(String(describing: error))")
            return
        }
    }

    @Test func `a Unix-domain socket stays`() {
        let overrides = AddressOverrides(connectTo: [], resolve: [])
        #expect(overrides.endpoints(for: .unixSocket(path: "/s")) == [.unixSocket(path: "/s")] && overrides.isEmpty)
    }

    @Test(arguments: [
        "", "a", "a:80", "a:80:", "a:x:1.2.3.4", "a:0:1.2.3.4", ":80:1.2.3.4", "a:80:b", "a:80:1.2.3", "[a:80:1.1.1.1",
    ])
    func `what is not an address is refused`(text: String) {
        #expect(AddressArgument(argument: text) == nil)
    }

    @Test(arguments: ["", "a", "a:80", "a:x:b:81", "a:80:b:x", "a:80:b:99999"])
    func `what is not two hosts and ports is refused`(text: String) {
        #expect(ConnectToArgument(argument: text) == nil)
    }
}
