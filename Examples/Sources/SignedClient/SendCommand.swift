// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import Foundation
import Tern

struct SendCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "send",
        abstract: "Sends one signed request and prints the body of the response.",
        discussion: """
            The key is taken from AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY and, if it is there, AWS_SESSION_TOKEN.
            """
    )

    @Argument(help: "An https or http URL.") var url: String
    @Option(help: "The method.") var method = "GET"
    @Option(help: "A file to send.", completion: .file()) var body: String?
    @Option(help: "The region.") var region = "us-east-1"
    @Option(help: "The service, such as s3 or execute-api.") var service = "s3"

    func run() async throws {
        guard let method = HTTPRequest.Method(self.method) else { throw ValidationError("This is not an HTTP method.") }
        var request = Request(method, self.url)
        if let body { request = request.body(file: URL(fileURLWithPath: body)) }
        let account = try Self.account(ProcessInfo.processInfo.environment)
        let signature = SignatureV4(region: self.region, service: self.service)
        let origin = try request.destination().origin
        let client = Client.signed(AWSSigner(account: account, signature: signature, origin: origin))
        let (data, response) = try await client.data(for: request)
        FileHandle.standardOutput.write(data)
        guard response.isSuccess else { throw ExitCode(1) }
    }

    private static func account(_ environment: [String: String]) throws -> Account {
        guard let keyID = environment["AWS_ACCESS_KEY_ID"], let secret = environment["AWS_SECRET_ACCESS_KEY"] else {
            throw ValidationError("No key is set. Set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY.")
        }
        return Account(keyID: keyID, secret: secret, sessionToken: environment["AWS_SESSION_TOKEN"])
    }
}

extension Client {
    /// Returns a client that signs its requests, for which one setting is enough.
    static func signed(_ signer: AWSSigner) -> Client {
        var configuration = Client.Configuration()
        configuration.signer = signer
        return Client(configuration: configuration)
    }
}
