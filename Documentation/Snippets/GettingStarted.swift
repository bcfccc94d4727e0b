// SPDX-License-Identifier: Apache-2.0
// The program in the article "Getting started". scripts/check snippets fails if the
// two copies differ.

// snippet.start-program
import Foundation
import Tern

struct Repository: Decodable {
    var name: String
    var description: String?
    var stars: Int

    enum CodingKeys: String, CodingKey {
        case name, description
        case stars = "stargazers_count"
    }
}

let address =
    CommandLine.arguments.dropFirst().first
    ?? "https://api.github.com/repos/swiftlang/swift"
let client = Client()

do {
    let request = Request(.get, address)
    let repository = try await client.value(for: request, as: Repository.self)
    print("\(repository.name) has \(repository.stars) stars")
    print(repository.description ?? "It does not say what it is.")
} catch {
    print("That did not work: \(error)")
    exit(1)
}
// snippet.end
