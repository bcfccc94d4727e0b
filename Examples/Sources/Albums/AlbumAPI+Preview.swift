// SPDX-License-Identifier: Apache-2.0
import Foundation
import Tern
import TernTesting

extension AlbumAPI {
    /// The calls of a service that is in memory, for previews: they need no network, and show these albums.
    static var preview: AlbumAPI {
        let connector = MemoryConnector { _ in
            .response(
                fields: [.contentType: "application/json"],
                body: #"[{"id": 1, "title": "Dogs"}, {"id": 2, "title": "Terns"}]"#
            )
        }
        var configuration = Client.Configuration()
        configuration.baseURL = URL(string: "http://preview")
        return AlbumAPI(client: Client(configuration: configuration, connector: connector))
    }
}
