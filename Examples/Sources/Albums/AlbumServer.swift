// SPDX-License-Identifier: Apache-2.0
import DemoServer
import Foundation

/// The server of the example: a user who is signed in sees albums, and may replace a cover.
nonisolated enum AlbumServer {
    static func answer(_ request: DemoRequest) -> DemoAnswer {
        switch (request.method, request.path) {
        case _ where request["authorization"] != "Basic \(Data("ann:biscuit".utf8).base64EncodedString())":
            DemoAnswer(status: 401, fields: [("www-authenticate", "Basic realm=\"albums\"")])
        case ("GET", "/v1/albums"):
            .text(#"[{"id": 1, "title": "Dogs"}, {"id": 2, "title": "Terns"}]"#, type: "application/json")
        case ("PUT", "/v1/albums/1/cover"):
            DemoAnswer(status: request.body.count == coverByteCount ? 204 : 400)
        default:
            .notFound
        }
    }

    /// The length of the cover image that the demo uploads.
    static let coverByteCount = 2_000_000
}
