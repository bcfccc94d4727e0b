// SPDX-License-Identifier: Apache-2.0
import ClientTestSupport
import Tern
import TernTesting

/// A client with connections in memory, and its observers.
struct ObservedScene: Sendable {
    let client: Client
    let connector: MemoryConnector

    init(_ change: (inout Client.Configuration) -> Void, answer: @escaping ScriptedServer.Answer) {
        var configuration = Client.Configuration.patient
        change(&configuration)
        self.connector = MemoryConnector(answer: answer)
        self.client = Client(configuration: configuration, connector: self.connector)
    }
}

/// A request full of secrets that must not be logged.
let secretRequest = Request(.get, "http://anna:hunter2@test/photos?token=sesame")
    .header(.authorization, "Bearer opensesame")

/// The secrets of the request, which no output may contain.
let secrets = ["hunter2", "sesame", "anna"]
