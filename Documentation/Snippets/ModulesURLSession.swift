// SPDX-License-Identifier: Apache-2.0
// The code in the pages and the comments of TernURLSession.
// scripts/check snippets fails if the two copies differ.
import Foundation
// snippet.module-url-session
import Tern
import TernURLSession

// snippet.end
// snippet.systems-networking-client
import Tern
import TernURLSession

// snippet.end

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

func restricted() -> Client {
    // snippet.module-url-session
    let configuration = URLSessionConfiguration.default
    configuration.allowsCellularAccess = false
    let client = Client(transport: URLSessionTransport(configuration))
    // snippet.end
    return client
}

func configured() -> Client {
    // snippet.systems-networking-client
    let sessionConfiguration = URLSessionConfiguration.default
    sessionConfiguration.allowsCellularAccess = false
    let transport = URLSessionTransport(sessionConfiguration)

    var configuration = Client.Configuration()
    configuration.cookieStore = MemoryCookieStore()
    configuration.cache = MemoryCacheStore()
    let client = Client(configuration: configuration, transport: transport)
    // snippet.end
    return client
}

func restrictedAsInTheComment() -> Client {
    // snippet.comment-url-session-transport
    let configuration = URLSessionConfiguration.default
    configuration.allowsCellularAccess = false
    let client = Client(transport: URLSessionTransport(configuration))
    // snippet.end
    return client
}

func recognizing(_ client: Client, _ request: Request) async throws -> Data {
    // snippet.comment-url-session-transport-error
    do {
        return try await client.data(for: request).0
    } catch .interceptorFailed(let error as URLSessionTransportError, _) {
        print("this call needs the client's own transport: \(error)")
    }
    // snippet.end
    throw CancellationError()
}
