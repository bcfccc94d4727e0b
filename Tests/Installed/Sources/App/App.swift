// SPDX-License-Identifier: Apache-2.0
import Tern

@main
enum App {
    static func main() async throws { print(try await Client().string(from: "https://example.com")) }
}
