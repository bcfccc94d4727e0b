// SPDX-License-Identifier: Apache-2.0
import ClientTestSupport
import Foundation
import Tern
import TestSupport
import Testing

/// Tests calls in a process that has no free file descriptors.
///
/// Each test runs in a separate process, because other tests need descriptors.
@Suite("Resources: out of descriptors", .hangLimit)
struct DescriptorTests {
    /// Returns the result of a call that needs a new connection.
    private static func outcome(_ client: Client, _ url: String) async -> String {
        do throws(ClientError) {
            return String(decoding: try await client.data(for: Request(.get, url)).0, as: UTF8.self)
        } catch {
            return error.fault == .connectionFailed(.tooManyOpenFiles) ? "too many open files" : "\(error)"
        }
    }

    @Test func `a call fails with the reason, and the next one succeeds`() async {
        await #expect(processExitsWith: .success) {
            let server = try await RawServer()
            #expect(await Self.outcome(Client(configuration: .patient), server.url("/fine")) == "fine")
            let client = Client(configuration: .patient)
            do {
                let table = try FullDescriptorTable(freeCount: 8)
                for host in ["127.0.0.1", "localhost"] {
                    let url = "http://\(host):\(server.port)/fine"
                    #expect(await Self.outcome(client, url) == "too many open files")
                }
                withExtendedLifetime(table) {}
            }
            for host in ["127.0.0.1", "localhost"] {
                #expect(await Self.outcome(client, "http://\(host):\(server.port)/fine") == "fine")
            }
        }
    }

    @Test func `an idle connection makes room for one to another server, by address and by name`() async {
        await #expect(processExitsWith: .success) {
            let client = Client(configuration: .patient)
            #expect(await Self.outcome(client, try await RawServer().url("/fine")) == "fine")
            let table = try FullDescriptorTable(freeCount: 8)
            for host in ["127.0.0.1", "localhost", "127.0.0.1", "localhost"] {
                let server = try await RawServer()
                #expect(await Self.outcome(client, "http://\(host):\(server.port)/fine") == "fine")
                // Only the idle connection could free a descriptor.
                table.fill()
            }
        }
    }

    @Test func `idle connections of any client make room for the file of a download or an upload`() async {
        await #expect(processExitsWith: .success) {
            let (server, folder) = (try await RawServer(), try TemporaryFolder())
            let path = try folder.write("sent", to: "upload")
            let (client, other) = (Client(configuration: .patient), Client(configuration: .patient))
            #expect(await Self.outcome(client, server.url("/fine")) == "fine")
            // The connections of the other client are idle, and only they can free descriptors.
            var servers: [RawServer] = []
            for _ in 0..<8 {
                servers.append(try await RawServer())
                #expect(await Self.outcome(other, servers[servers.count - 1].url("/fine")) == "fine")
            }
            let table = try FullDescriptorTable(freeCount: 8)
            let (file, _) = try await client.download(for: Request(.get, server.url("/fine")), to: folder.file("file"))
            #expect(try Data(contentsOf: file) == Data("fine".utf8))
            table.fill()
            let request = Request(.put, server.url("/upload"))
            let (data, _) = try await client.upload(for: request, fromFile: URL(filePath: path))
            #expect(String(decoding: data, as: UTF8.self).hasPrefix("4 "))
            withExtendedLifetime(servers) {}
        }
    }
}
