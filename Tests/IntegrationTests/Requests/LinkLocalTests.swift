// SPDX-License-Identifier: Apache-2.0
import ClientTestSupport
import Foundation
import Tern
import TestSupport
import Testing

/// Tests connections to a link-local address, which is unique only together with its zone (RFC 6874).
///
/// `IPv6HostTests` in `TernTests` checks on all machines that the connector gets the zone.
@Suite("Link-local addresses", .hangLimit)
struct LinkLocalTests {
    /// A link-local address of this machine, and its interface; `nil` if the machine has no such address.
    static let own: (address: String, zone: String)? = {
        // Each line has the address in 32 digits, the index, the prefix length, the scope (20: link), the flags, and
        // the name of the interface.
        let table = (try? String(contentsOfFile: "/proc/net/if_inet6", encoding: .utf8)) ?? ""
        for line in table.split(separator: "\n") {
            let parts = line.split(separator: " ")
            guard parts.count == 6, parts[3] == "20", parts[0].hasPrefix("fe80"), let zone = parts.last else {
                continue
            }
            let digits = Array(parts[0])
            let groups = stride(from: 0, to: digits.count, by: 4).map { String(digits[$0..<$0 + 4]) }
            return (groups.joined(separator: ":"), String(zone))
        }
        return nil
    }()

    @Test(.enabled(if: Self.own != nil, "no interface of this machine has a link-local address"))
    func `a server is reached by its zone, and is not told it`() async throws {
        let own = try #require(Self.own)
        let process = try PeerProcess("python3", ["-B", Scripts.path("host_server.py"), "port.txt"])
        let report = process.folder.appending(path: "port.txt")
        try await process.ready { FileManager.default.fileExists(atPath: report.path) }
        let text = try String(contentsOf: report, encoding: .utf8)
        let port = try #require(Int(text.trimmingCharacters(in: .whitespacesAndNewlines)))
        let request = Request(.get, "http://[\(own.address)%25\(own.zone)]:\(port)/")
        let (data, response) = try await Client(configuration: .patient).data(for: request)
        let host = try request.destination().hostField
        #expect(response.statusCode == 200 && !host.contains("%"))
        #expect(String(decoding: data, as: UTF8.self) == host)
    }
}
