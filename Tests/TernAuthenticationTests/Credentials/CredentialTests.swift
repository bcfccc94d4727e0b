// SPDX-License-Identifier: Apache-2.0

import TernAuthentication
import TernRequests
import Testing

@Suite("Credential, MemoryCredentialStore")
struct CredentialTests {
    private static let space = ProtectionSpace(
        origin: Origin(scheme: .https, host: "example.com"),
        scheme: .basic,
        realm: "a"
    )

    /// Returns all texts that a value can show: its descriptions and its dump.
    static func shown(_ value: some Any) -> String {
        var dumped = ""
        dump(value, to: &dumped)
        dump([value], to: &dumped)
        return "\(value) \(String(reflecting: value)) \(String(describing: [value])) \(dumped)"
    }

    static let secrets: [(Credential, String)] = [
        (Credential(user: "s3cret-name", password: "s3cret"), "password(***)"),
        (Credential(token: "s3cret"), "token(***)"),
    ]

    @Test(arguments: secrets)
    func `a credential never shows itself`(_ credential: Credential, _ description: String) {
        #expect(credential.description == description)
        #expect(!Self.shown(credential).contains("s3cret"))
        #expect(!Self.shown(credential.content).contains("s3cret"))
        #expect(!Self.shown(MemoryCredentialStore([Self.space: credential])).contains("s3cret"))
        #expect(Self.shown(credential).contains("***"))
    }

    @Test
    func `what it is can be asked`() {
        let password = Credential(user: "u", password: "p")
        #expect(password.user == "u" && password.password == "p" && password.token == nil)
        #expect(password.hasPassword)
        #expect(password.content == .password(user: "u", password: "p"))
        #expect(password.persistence == .forSession)
        let token = Credential(token: "t", persistence: .none)
        #expect(token.user == nil && token.password == nil && token.token == "t")
        #expect(!token.hasPassword)
        #expect(token.persistence == .none)
    }

    @Test
    func `a store keeps by space`() async {
        let store = MemoryCredentialStore()
        var other = Self.space
        other.realm = "b"
        await store.store(Credential(user: "u", password: "p"), for: Self.space)
        #expect(await store.credential(for: Self.space) == Credential(user: "u", password: "p"))
        #expect(await store.credential(for: other) == nil)
        await store.store(Credential(user: "u", password: "q", persistence: .stored), for: Self.space)
        #expect(await store.credential(for: Self.space)?.content == .password(user: "u", password: "q"))
        await store.remove(for: other)
        #expect(await store.credential(for: Self.space) != nil)
        await store.remove(for: Self.space)
        #expect(await store.credential(for: Self.space) == nil)
    }

    @Test
    func `a store does not keep what is for one answer`() async {
        let store = MemoryCredentialStore()
        await store.store(Credential(token: "t", persistence: .none), for: Self.space)
        #expect(await store.credential(for: Self.space) == nil)
        let filled = MemoryCredentialStore([Self.space: Credential(token: "t", persistence: .none)])
        #expect(await filled.credential(for: Self.space) == Credential(token: "t", persistence: .none))
    }
}
