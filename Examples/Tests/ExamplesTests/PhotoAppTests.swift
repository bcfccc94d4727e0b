// SPDX-License-Identifier: Apache-2.0
import DemoServer
import DemoTerminal
import Foundation
import Tern
import Testing

@testable import PhotoApp

struct PhotoAppTests {
    @Test(.timeLimit(.minutes(1))) func `the demo tells its story`() async throws {
        let story = Story()
        try await DemoCommand.play { story.add($0) }
        let lines = story.lines
        #expect(lines.contains("  2  Biscuit in the snow, 42 favourites, 800000 bytes"))
        #expect(lines.contains("  2  Biscuit in the snow, 43 favourites, 800000 bytes"))
        #expect(lines.contains("  4  Biscuit at large, 0 favourites, 13100000 bytes"))
        #expect(lines.filter { $0.hasSuffix("has one more favourite") }.count == 3)
        #expect(lines.last == "  the same 13.1 MB")
    }

    @Test(.timeLimit(.minutes(1))) func `a wrong password is a 401, and is not sent twice`() async throws {
        let album = PhotoAlbum()
        try await DemoServer.run(answering: { album.answer($0) }) { server in
            let service = PhotoService(at: try #require(URL(string: server.address)))
            let error = await #expect(throws: ClientError.self) {
                try await service.makeFavourite(1, signIn: SignIn(user: "anna", password: "meow"))
            }
            #expect(error?.status?.code == 401)
            #expect(try await service.photo(1).favourites == 41)
            #expect(server.journal.filter { $0 == "PUT /photos/1/favourite 401" }.count == 2)
        }
    }

    @Test(arguments: [
        (nil, nil, ["User for Photos: ", "Password: *"]), ("anna", nil, ["Password of anna for Photos: *"]),
        (nil, "woof", ["User for Photos: "]), ("anna", "woof", []),
    ])
    func `only what was not given is asked for`(_ user: String?, _ password: String?, _ asked: [String]) async {
        let story = Story()
        var signIn = SignIn(user: user, password: password)
        signIn.ask = { question, isSecret in
            story.add(question + (isSecret ? "*" : ""))
            return isSecret ? "woof" : "anna"
        }
        let answer = await signIn.answer(asked: 1, by: "Photos")
        #expect(story.lines == asked)
        guard case .useCredential(let credential) = answer else {
            Issue.record("no credential")
            return
        }
        #expect(credential == Credential(user: "anna", password: "woof"))
    }

    @Test(arguments: [(nil, "No user was given.\n"), ("anna", "No password was given.\n")])
    func `where nobody answers it is said what is missing`(_ user: String?, _ said: String) async {
        let story = Story()
        let signIn = SignIn(user: user, ask: { _, _ in nil }, tell: { story.add($0) })
        guard case .performDefaultHandling = await signIn.answer(asked: 1, by: "Photos") else {
            Issue.record("an answer")
            return
        }
        #expect(story.lines == [said])
    }

    @Test(.timeLimit(.minutes(1))) func `a port is free again as soon as its server is gone`() async throws {
        let client = Client()
        let ports = Story()
        for _ in 0..<3 {
            let port = ports.lines.first.flatMap { Int($0) } ?? 0
            try await DemoServer.run(at: port, answering: { _ in .text("here") }) { server in
                ports.add(String(try #require(URL(string: server.address)?.port)))
                let (data, _) = try await client.data(for: Request(.get, server.address))
                #expect(data == Data("here".utf8))
            }
        }
        #expect(Set(ports.lines).count == 1)
    }

    @Test(.timeLimit(.minutes(1))) func `leaving the live counts closes the connection`() async throws {
        let album = PhotoAlbum()
        try await DemoServer.run(answering: { album.answer($0) }) { server in
            let service = PhotoService(at: try #require(URL(string: server.address)))
            for try await count in try await service.counts() {
                #expect((1...3).contains(count.photo))
                break
            }
            while !server.journal.contains("GET /counts disconnected") { try await Task.sleep(for: .milliseconds(5)) }
        }
    }

    @Test func `errors say what to do`() {
        let context = ClientError.Context(phase: .connect)
        let failure = AppFailure(.connectionFailed(.refused, context), server: "http://127.0.0.1:1")
        #expect(failure.description == "There is no server at http://127.0.0.1:1. Start one: PhotoApp serve")
    }

    @Test func `bars are as wide whatever they say`() {
        #expect(ProgressBar("a", 0, of: 10).text == "a                      0 % [>                             ]  0 B")
        #expect(ProgressBar("a", 5, of: 10).text == "a                     50 % [===============>              ]  5 B")
        #expect(
            ProgressBar("a", 10, of: 10).text == "a                    100 % [==============================]  10 B"
        )
        #expect(ProgressBar("a", 13_100_000).text == "a                     13.1 MB")
    }
}
