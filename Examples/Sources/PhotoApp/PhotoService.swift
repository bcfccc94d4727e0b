// SPDX-License-Identifier: Apache-2.0
import Foundation
import Tern

/// The photo server, as the app sees it: one method for each request.
///
/// Every method throws only `ClientError`, and also throws for an unsuccessful status.
struct PhotoService: Sendable {
    private let client: Client

    /// Creates the service; all requests are relative to the address.
    init(at address: URL) {
        var configuration = Client.Configuration()
        configuration.baseURL = address
        configuration.validation = [.success]
        self.client = Client(configuration: configuration)
    }

    func photos() async throws(ClientError) -> [Photo] {
        try await self.client.value(for: Request(.get, "photos"))
    }

    func photo(_ id: Int) async throws(ClientError) -> Photo {
        try await self.client.value(for: Request(.get, "photos").pathSegment(id))
    }

    /// Makes a photo a favourite; if the server asks for a user name and a password, the delegate answers for this call only.
    func makeFavourite(_ id: Int, signIn: SignIn) async throws(ClientError) -> Photo {
        try await self.client.value(for: Request(.put, "photos").pathSegment(id).path("favourite"), delegate: signIn)
    }

    /// Returns the counts as they change, each a line of the server; leaving the loop closes the connection.
    func counts() async throws(ClientError) -> some AsyncSequence<FavouriteCount, any Error> {
        let (bytes, _) = try await self.client.bytes(for: Request(.get, "counts"))
        return bytes.lines.map { line in try JSONDecoder().decode(FavouriteCount.self, from: Data(line.utf8)) }
    }

    /// Uploads a file, with only a few pieces of it in memory at a time.
    func upload(_ file: URL, title: String, progress: TransferBar? = nil) async throws(ClientError) -> Photo {
        let request = Request(.post, "photos").query("title", title).body(file: file)
        return try await self.client.value(for: request, delegate: progress)
    }

    /// Downloads a photo to a file, which appears when it is complete.
    func download(_ id: Int, to file: URL, progress: TransferBar? = nil) async throws(ClientError) {
        let request = Request(.get, "photos").pathSegment(id).path("file")
        _ = try await self.client.download(for: request, to: file, delegate: progress)
    }
}
