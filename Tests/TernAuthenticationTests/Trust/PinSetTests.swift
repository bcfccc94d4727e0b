// SPDX-License-Identifier: Apache-2.0
import TernAuthentication
import Testing

@Suite("PinSet")
struct PinSetTests {
    private static let (one, two, three) = (
        KeyPin(subjectPublicKeyInfo: [1]), KeyPin(subjectPublicKeyInfo: [2]), KeyPin(subjectPublicKeyInfo: [3])
    )

    private func set(_ host: String, includesSubdomains: Bool = false) throws -> PinSet {
        try PinSet(host: host, includesSubdomains: includesSubdomains, pins: [Self.one], backupPins: [Self.two])
    }

    @Test func `a set is enforced for one host unless told otherwise`() throws {
        let set = try self.set("Example.COM.")
        #expect(set.host == "example.com")
        #expect(!set.includesSubdomains)
        #expect(set.enforcement == .enforce)
    }

    /// RFC 7469 §2.5: "the host must set a Backup Pin".
    @Test func `a set that can lock users out is refused`() {
        #expect(throws: PinError.noBackupPin) { try PinSet(host: "a", pins: [Self.one], backupPins: []) }
        #expect(throws: PinError.noPin) { try PinSet(host: "a", pins: [], backupPins: [Self.one]) }
        #expect(throws: PinError.backupInUse) { try PinSet(host: "a", pins: [Self.one], backupPins: [Self.one]) }
        #expect(throws: PinError.noHost) { try PinSet(host: ".", pins: [Self.one], backupPins: [Self.two]) }
    }

    static let hosts: [(host: String, exactly: Bool, below: Bool)] = [
        ("example.com", true, true), ("EXAMPLE.com", true, true), ("example.com.", true, true),
        ("a.example.com", false, true), ("a.b.example.com.", false, true), ("anexample.com", false, false),
        ("com", false, false), ("example.com.evil", false, false), ("", false, false),
    ]

    @Test(arguments: hosts)
    func `a set is for its host, and for those below if it says so`(
        _ vector: (host: String, exactly: Bool, below: Bool)
    ) throws {
        #expect(try self.set("example.com").applies(to: vector.host) == vector.exactly)
        #expect(try self.set("example.com", includesSubdomains: true).applies(to: vector.host) == vector.below)
    }

    @Test func `an address may have pins`() throws {
        #expect(try self.set("[::1]").applies(to: "::1"))
        #expect(try self.set("::1").applies(to: "[::1]"))
        #expect(try self.set("127.0.0.1").applies(to: "127.0.0.1"))
        #expect(try self.set("[0:0:0:0:0:0:0:1]").applies(to: "::1"))
        #expect(try self.set("::1").applies(to: "0::0001"))
        #expect(try self.set("fe80::1%eth0").applies(to: "fe80::1"))
    }

    @Test func `pins and backup pins match`() throws {
        let set = try self.set("a")
        #expect(set.matches([Self.three, Self.one]))
        #expect(set.matches([Self.two]))
        #expect(!set.matches([Self.three]))
        #expect(!set.matches([]))
    }
}
