// SPDX-License-Identifier: Apache-2.0
import ClientTestSupport
import Foundation
import Tern
import TestSupport

/// The methods of the client that read a body, as a parameter of tests.
enum Verb: String, CaseIterable, Sendable {
    case data
    case download
    case bytes

    /// Requests a body with this method.
    func fetch(
        _ request: Request,
        _ client: Client = Client(configuration: .patient)
    ) async throws(ClientError) -> (body: Data, response: Response) {
        switch self {
        case .data:
            let (data, response) = try await client.data(for: request)
            return (data, response)
        case .download:
            let (location, response) = try await client.download(for: request)
            defer { try? FileManager.default.removeItem(at: location) }
            return ((try? Data(contentsOf: location)) ?? Data(), response)
        case .bytes:
            let (bytes, response) = try await client.bytes(for: request)
            var data = Data()
            var chunks = bytes.chunks.makeAsyncIterator()
            while let chunk = try await chunks.next() { data += chunk }
            return (data, response)
        }
    }
}

/// The content that the raw server sends in several content codings.
enum CodedContent {
    static let plain = Data((0..<1000).map { "line \($0) of some text that can be compressed\n" }.joined().utf8)
}
