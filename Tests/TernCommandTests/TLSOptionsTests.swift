// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import Tern
import TernFoundation
import TestSupport
import Testing

@testable import TernCommand

@Suite("Whom to trust", .hangLimit)
struct TLSOptionsTests {
    static let one = "sha256/AQAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA="
    static let other = "sha256/AgAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA="

    private static func options(_ arguments: [String]) throws -> ConnectionOptions {
        try GetCommand.parse(arguments + ["https://example.com/"]).connection
    }

    private static func tls(_ arguments: String..., url: String = "https://example.com/") throws -> TLSConfiguration {
        try Self.options(arguments).configuration(for: url).tls
    }

    @Test func `the system is trusted, or only the named certificates`() throws {
        #expect(try Self.tls() == TLSConfiguration())
        #expect(try Self.tls("--cacert", "a.pem").trust == .only([.pemFile(path: "a.pem")]))
        #expect(try Self.tls("--ca", "a.pem").trust == .only([.pemFile(path: "a.pem")]))
        #expect(try Self.tls("-k").trust == .unverified)
    }

    @Test func `pins are for the host of the URL`() throws {
        let set = try #require(try Self.tls("--pin", Self.one, "--pin", Self.other).trust.pinSets.first)
        #expect(set.host == "example.com" && !set.includesSubdomains && set.enforcement == .enforce)
        for pin in [Self.one, Self.other] { #expect(set.matches([try KeyPin(base64: pin)])) }
        #expect(try Self.tls("--pin", Self.one, url: "wss://[::1]:9/x").trust.pinSets.first?.host == "::1")
        #expect(try Self.tls("-k", "--pin", Self.one).trust.pinSets.count == 1)
    }

    @Test func `one pin is enough, also if it is typed twice or as for curl`() throws {
        let curls = Self.one.replacing("sha256/", with: "sha256//")
        for pins in [["--pin", Self.one], ["--pin", Self.one, "--pin", Self.one], ["--pin", curls]] {
            let set = try #require(try Self.options(pins).configuration(for: "https://a/").tls.trust.pinSets.first)
            #expect(set.matches([try KeyPin(base64: Self.one)]))
            #expect(!set.matches([try KeyPin(base64: Self.other)]))
        }
    }

    @Test func `pins need a host`() throws {
        let error = #expect(throws: CommandFailure.self) { try Self.tls("--pin", Self.one, url: "nonsense") }
        #expect(error?.outcome == .usage)
    }

    @Test func `a certificate of the client is PEM, or PKCS 12 by its name`() throws {
        #expect(try Self.tls("--cert", "me.pem").identity == .pemFiles(certificates: "me.pem", privateKey: "me.pem"))
        #expect(
            try Self.tls("--cert", "me.pem", "--key", "key.pem", "--pass", "woof").identity
                == .pemFiles(certificates: "me.pem", privateKey: "key.pem", passphrase: "woof")
        )
        #expect(try Self.tls("-E", "me.P12", "--pass", "woof").identity == .pkcs12File("me.P12", passphrase: "woof"))
        #expect(try Self.tls("-E", "me.pfx", "--pass", "").identity == .pkcs12File("me.pfx", passphrase: nil))
    }

    @Test(arguments: ["-----BEGIN ENCRYPTED PRIVATE KEY-----", "Proc-Type: 4,ENCRYPTED"])
    func `the passphrase of an encrypted key is asked for, and hidden`(text: String) async throws {
        let folder = try DemoFolder()
        defer { folder.remove() }
        let key = folder.file("key.pem")
        try Data(text.utf8).write(to: key)
        let questioner = ScriptedQuestioner("woof")
        let options = try Self.options(["--cert", "me.pem", "--key", key.path])
        let secrets = try await options.secrets(asking: questioner)
        #expect(questioner.asked == [.init(text: "Passphrase of \(key.path): ", isSecret: true)])
        #expect(
            try options.configuration(for: "https://a/", secrets).tls.identity
                == .pemFiles(certificates: "me.pem", privateKey: key.path, passphrase: "woof")
        )
    }

    @Test func `a key that is not encrypted, or has its passphrase, is not asked about`() async throws {
        let folder = try DemoFolder()
        defer { folder.remove() }
        let key = folder.file("key.pem")
        try Data("-----BEGIN PRIVATE KEY-----".utf8).write(to: key)
        let questioner = ScriptedQuestioner()
        for arguments in [["--cert", key.path], ["--cert", "not-there.pem"], ["--cert", "me.p12", "--pass", ""]] {
            #expect(try await Self.options(arguments).secrets(asking: questioner).passphrase == nil)
        }
        #expect(questioner.asked.isEmpty)
    }

    static let wrong: [[String]] = [
        ["--key", "a"], ["--pass", "a"], ["--pin", "sha256/woof"], ["--pin", ""], ["-k", "--cacert", "a"],
    ]

    @Test(arguments: wrong)
    func `what makes no sense is refused`(arguments: [String]) {
        #expect(throws: (any Error).self) { try Self.options(arguments) }
    }

    @Test func `names that a server chooses cannot command the terminal`() {
        let lines = TLSText.lines(on: ServerTrust(host: "a\u{1B}[2J", chain: [], evaluation: .selfSigned))
        #expect(!lines.contains("\u{1B}"))
        #expect(lines.hasSuffix("* not trusted: the server's certificate is self-signed and not trusted\n"))
    }
}
