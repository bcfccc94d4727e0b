// SPDX-License-Identifier: Apache-2.0
import TernAuthentication
import Testing

@Suite("ClientIdentity")
struct ClientIdentityTests {
    static let identities: [(identity: ClientIdentity, description: String)] = [
        (.pem(certificates: "chain", privateKey: "hidden", passphrase: "hidden"), "ClientIdentity(pem: ***)"),
        (.pem(certificates: "chain", privateKey: "hidden"), "ClientIdentity(pem: ***)"),
        (
            .pemFiles(certificates: "a.pem", privateKey: "a.key", passphrase: "hidden"),
            "ClientIdentity(certificates: a.pem, privateKey: a.key, passphrase: ***)"
        ),
        (.pkcs12(Array("hidden".utf8), passphrase: "hidden"), "ClientIdentity(pkcs12: ***)"),
        (.pkcs12File("a.p12", passphrase: "hidden"), "ClientIdentity(pkcs12: a.p12, passphrase: ***)"),
    ]

    @Test(arguments: identities)
    func `neither a key nor a passphrase is described`(_ vector: (identity: ClientIdentity, description: String)) {
        #expect(vector.identity.description == vector.description)
        var dumped = ""
        dump(vector.identity, to: &dumped)
        for text in ["\(vector.identity)", String(reflecting: [vector.identity]), dumped] {
            #expect(!text.contains("hidden"))
            #expect(!text.contains("104, 105"))
        }
    }

    @Test func `a request says who asks`() {
        let request = ClientCertificateRequest(host: "localhost", port: 443)
        #expect(request.host == "localhost")
        #expect(request.port == 443)
    }
}
