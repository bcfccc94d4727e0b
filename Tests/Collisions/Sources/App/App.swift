// SPDX-License-Identifier: Apache-2.0
// scripts/check collisions compiles this file. Tern must not declare any of the
// general names below, so that the code can use them without the name of a module.
import Foundation
import General
import Tern

@main
struct App {
    static let router = Router([.home, .settings, .text(Text("about"))])
    static let pins: [Pin] = [Pin()]

    let endpoint = Endpoint(path: "/albums", deadline: Deadline(Instant()))
    var call = Call(number: "555-0100")
    var next = Next()
    var connection = Connection()
    var connector: (any Connector)?
    var masks: [Mask] = [.circle, .square]
    var variants: [Variant] = [.small, .large]
    var opcodes: [Opcode] = [.load, .store]
    var stage = Stage()
    var lease = Lease()
    var freshness = Freshness()

    func route(to text: Text) -> Route { Self.router.routes.first ?? .text(text) }

    func reply(to call: Call) -> Reply { call.reply ?? .busy }

    static func main() async throws {
        let app = App()
        var configuration = Client.Configuration()
        configuration.timeouts.call = .seconds(30)
        let client = Client(configuration: configuration)
        let (data, response) = try await client.data(for: Request(.get, "https://example.com").path(app.endpoint.path))
        print(data.count, response.status, app.reply(to: app.call), app.route(to: Text("home")))
    }
}
