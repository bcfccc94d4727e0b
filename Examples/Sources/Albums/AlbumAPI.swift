// SPDX-License-Identifier: Apache-2.0
import Foundation
import Tern

/// The calls of the service.
struct AlbumAPI {
    let client: Client

    /// Creates a client whose calls pass ``Activity``, and sign in with ``SignIn`` if the service asks them to.
    init(at address: String, activity: Activity, signIn: SignIn) {
        var configuration = Client.Configuration()
        configuration.baseURL = URL(string: address)
        configuration.defaultFields["X-Client"] = "Albums"
        configuration.callInterceptors = [activity]
        self.client = Client(configuration: configuration, delegate: signIn)
    }

    /// Uses a client with another server, such as that of a preview.
    init(client: Client) { self.client = client }

    func albums() async throws(ClientError) -> [Album] { try await self.get("albums") }

    func replaceCover(of album: Album, by image: Data, tracking upload: Upload) async throws(ClientError) {
        let request = Request(.put, "albums").pathSegment(album.id).path("cover").body(data: image)
        try await self.client.send(request, delegate: upload)
    }

    private func get<Value: Decodable>(_ path: String) async throws(ClientError) -> Value {
        try await self.client.value(for: Request(.get, path))
    }
}
