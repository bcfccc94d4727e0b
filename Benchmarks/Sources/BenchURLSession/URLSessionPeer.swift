// SPDX-License-Identifier: Apache-2.0
internal import BenchSupport
internal import Foundation
internal import FoundationNetworking

@main struct URLSessionPeer: Peer {
    let name = "urlsession"
    private let session: URLSession

    static func main() { perform { await run(URLSessionPeer.init) } }

    /// Creates a session with the defaults, and with as many connections as concurrent requests.
    ///
    /// A process cannot set the trusted authority on this platform, so `scripts/bench` sets it before the start.
    private init(arguments: Arguments) {
        let configuration = URLSessionConfiguration.default
        configuration.httpMaximumConnectionsPerHost = max(64, arguments.concurrency)
        self.session = URLSession(configuration: configuration)
    }

    private static func parse(_ url: String) throws -> URL {
        guard let url = URL(string: url) else { throw UnexpectedAnswer("not a URL: \(url)") }
        return url
    }

    private static func check(_ response: URLResponse) throws {
        try UnexpectedAnswer.check(status: (response as? HTTPURLResponse)?.statusCode ?? 0)
    }

    private func body(of url: String) async throws -> Data {
        let (data, response) = try await self.session.data(from: Self.parse(url))
        try Self.check(response)
        return data
    }

    func get(_ url: String) async throws -> Int { try await self.body(of: url).count }

    func data(_ url: String) async throws -> Int { try await self.body(of: url).count }

    func download(_ url: String, to file: String) async throws -> Int {
        let (location, response) = try await self.session.download(from: Self.parse(url))
        try Self.check(response)
        try FileManager.default.moveItem(at: location, to: URL(fileURLWithPath: file))
        return try FileManager.default.attributesOfItem(atPath: file)[.size] as? Int ?? 0
    }

    func upload(_ file: String, to url: String) async throws -> Int {
        var request = URLRequest(url: try Self.parse(url))
        request.httpMethod = "PUT"
        let (data, response) = try await self.session.upload(for: request, fromFile: URL(fileURLWithPath: file))
        try Self.check(response)
        return data.count
    }

    /// Reads the whole body first, because lines cannot be read as they arrive on this platform.
    func lines(_ url: String, line: (String) -> Void) async throws {
        try await self.body(of: url).withUnsafeBytes { bytes in
            var rest = bytes[...]
            while !rest.isEmpty {
                let end = rest.firstIndex(of: 0x0A) ?? rest.endIndex
                line(String(decoding: rest[..<end], as: UTF8.self))
                rest = rest[end...].dropFirst()
            }
        }
    }
}
