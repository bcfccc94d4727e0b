// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import DemoServer
import Foundation
import Tern

struct DemoCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "demo",
        abstract: "Signs for a server on loopback that checks every signature (the default)."
    )

    /// The key of AWS's published test vectors, which gives no access.
    static let account = Account(keyID: "AKIDEXAMPLE", secret: "wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY")
    private static let signature = SignatureV4(region: "us-east-1", service: "service")

    func run() async throws {
        try await Self.play { print($0) }
    }

    /// Runs the demo; throws if a step fails.
    static func play(_ say: @escaping @Sendable (String) -> Void) async throws {
        let server = ObjectServer(account: Self.account, signature: Self.signature)
        try await DemoServer.run(answering: { server.answer($0) }) { place in
            let request = Request(.put, "\(place.address)/albums/summer 2026/a+b.txt").query("note", "sea & sand")
            let origin = try request.destination().origin
            var signer = AWSSigner(account: Self.account, signature: Self.signature, origin: origin)

            say("signed, with a body:")
            try await Self.send(
                request.body(data: Data("a dog on the beach".utf8), contentType: "text/plain"),
                signer,
                say
            )
            say("signed, to read it again:")
            try await Self.send(Request(.get, request.url), signer, say)
            say("not signed:")
            try await Self.send(Request(.get, request.url), nil, say)
            say("signed with a wrong secret:")
            signer = AWSSigner(
                account: Account(keyID: Self.account.keyID, secret: "guessed"),
                signature: Self.signature,
                origin: origin
            )
            try await Self.send(Request(.get, request.url), signer, say)
            say("signed an hour ago:")
            signer = AWSSigner(account: Self.account, signature: Self.signature, origin: origin) { Date() - 3600 }
            try await Self.send(Request(.get, request.url), signer, say)
        }
    }

    private static func send(_ request: Request, _ signer: AWSSigner?, _ say: (String) -> Void) async throws {
        let client = signer.map { Client.signed($0) } ?? Client()
        let (data, response) = try await client.data(for: request)
        let text = String(decoding: data, as: UTF8.self).trimmingCharacters(in: .newlines)
        say("  \(request.method) \(request.url.path): \(response.status), \(text)")
    }
}
