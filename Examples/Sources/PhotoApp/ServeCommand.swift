// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import DemoServer
import DemoTerminal

struct ServeCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "serve",
        abstract: "Runs the server, on loopback, until it is interrupted."
    )

    @Option(help: "The port.") var port = ServerOptions.port

    func run() async throws {
        let album = PhotoAlbum()
        try await DemoServer.run(at: self.port, answering: { album.answer($0) }) { server in
            Terminal.tell("The photo server is at \(server.address). Interrupt it with Control-C.\n")
            while true { try await Task.sleep(for: .seconds(3600)) }
        }
    }
}
