// SPDX-License-Identifier: Apache-2.0
// The code in the page and the comments of TernFoundationNetworking.
// scripts/check snippets fails if the two copies differ.
import Foundation
// snippet.module-foundation-networking
import Tern
import TernFoundationNetworking

// snippet.end

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

func sending(_ client: Client, _ url: URL) async throws {
    // snippet.module-foundation-networking
    var urlRequest = URLRequest(url: url)
    urlRequest.setValue("application/json", forHTTPHeaderField: "Accept")
    let (data, response) = try await client.data(for: Request(urlRequest))
    // snippet.end
    _ = (data, response)
}

func sendingAtOnce(_ client: Client, _ urlRequest: URLRequest) async throws {
    // snippet.comment-url-request
    let (data, response) = try await client.data(for: Request(urlRequest))
    // snippet.end
    _ = (data, response)
}
