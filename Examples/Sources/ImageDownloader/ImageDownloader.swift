// SPDX-License-Identifier: Apache-2.0
import DemoServer
import TernPublishers

/// Downloads photos for the cells of a list.
@main
enum ImageDownloader {
    static func main() async throws {
        let photo = DemoPhoto(byteCount: 40_000)
        try await DemoServer.run(answering: { photo.answer(to: $0) }) { server in
            let (data, response) = try await Client().data(for: Request(.get, "\(server.address)/photos/1"))
            print("\(response.statusCode), \(data.count) bytes")
        }
    }
}
