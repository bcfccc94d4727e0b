// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import HTTPTypes
import Tern

/// `tern-cli get`.
struct GetCommand: HTTPCommand {
    static let configuration = CommandConfiguration(
        commandName: "get",
        abstract: "Prints the body of a response as it arrives.",
        discussion: """
            The body goes to standard output piece by piece, as it is, whatever its length and its status. With --json, the \
            result follows on standard error. With --include, characters of a field that would command a terminal are \
            replaced on one.

            EXAMPLES
              tern-cli get https://example.com/photos/1
              tern-cli get --include -X HEAD https://example.com/photos/1
              tern-cli get --user anna https://example.com/albums
              tern-cli get --tls-info --cacert company.pem https://intranet.example
              tern-cli get --proxy socks5://127.0.0.1:1080 --no-redirects -i https://example.com
              tern-cli get --cache ~/.cache/tern -i https://example.com/albums
              tern-cli get --timing https://example.com/albums >/dev/null
              tern-cli get --fail --timeout 5 https://example.com/health || echo "down"
              tern-cli get --unix-socket /var/run/docker.sock http://localhost/containers/json
            """
    )

    @OptionGroup var call: CallOptions

    @OptionGroup var body: BodyOptions

    func perform(_ delegate: CommandDelegate) async throws -> CallReport {
        let (client, request) = try await self.call.prepare(.get, delegate)
        let (bytes, response) = try await client.bytes(for: request)
        self.call.tellTLS(response)
        return try await self.body.print(bytes, response)
    }
}
