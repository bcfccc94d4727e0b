// SPDX-License-Identifier: Apache-2.0
import Foundation
import Tern
import Testing

@testable import SignedClient

/// The requests of AWS's published test suite for Signature Version 4, and others with signatures from botocore.
struct SignedClientTests {
    /// A request, and the signature that it must have.
    struct Row: CustomTestStringConvertible, Sendable {
        var testDescription: String
        var method = "GET"
        var target = "/"
        var fields: [String: String] = [:]
        var body = ""
        var signature: String
    }

    static let published: [Row] = [
        Row(
            testDescription: "get-vanilla",
            signature: "5fa00fa31553b73ebf1942676e86291e8372ff2a2260956d9b8aae1d763fbf31"
        ),
        Row(
            testDescription: "get-vanilla-query",
            target: "/?Param1=value1",
            signature: "a67d582fa61cc504c4bae71f336f98b97f1ea3c7a6bfe1b6e45aec72011b9aeb"
        ),
        Row(
            testDescription: "get-vanilla-query-order-key-case",
            target: "/?Param2=value2&Param1=value1",
            signature: "b97d918cfa904a5beff61c982a1b6f458b799221646efd99d3219ec94cdf2500"
        ),
        Row(
            testDescription: "get-vanilla-query-unreserved",
            target: "/?-._~0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz=-._~0123456789ABCDEFGHIJKLMN"
                + "OPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz",
            signature: "9c3e54bfcdf0b19771a7f523ee5669cdf59bc7cc0884027167c21bb143a40197"
        ),
        Row(
            testDescription: "post-vanilla",
            method: "POST",
            signature: "5da7c1a2acd57cee7505fc6676e4e544621c30862966e37dddb68e92efbe5d6b"
        ),
        Row(
            testDescription: "post-x-www-form-urlencoded",
            method: "POST",
            fields: ["content-type": "application/x-www-form-urlencoded"],
            body: "Param1=value1",
            signature: "ff11897932ad3f4e8b18135d722051e5ac45fc38421b1da7b9d196a0fe09473a"
        ),
        Row(
            testDescription: "botocore: a path that is encoded",
            target: "/a%20b/%E1%88%B4",
            signature: "e9d8665373fed7762b3e2e661f671155634544940c97a67fd5efade7ceb8c358"
        ),
        Row(
            testDescription: "botocore: a query that is encoded",
            target: "/?b=x%20y&a=%C3%BC&a=1&empty=",
            signature: "550e1693e93685b193714d3c81a8e260efed8919f3d03c0b66a913fde3c1ec0e"
        ),
    ]

    /// Paths that are normalized before they are signed.
    ///
    /// S3 signs them unchanged.
    static let paths: [Row] = [
        Row(
            testDescription: "get-slash",
            target: "//",
            signature: "5fa00fa31553b73ebf1942676e86291e8372ff2a2260956d9b8aae1d763fbf31"
        ),
        Row(
            testDescription: "get-slashes",
            target: "//example//",
            signature: "9a624bd73a37c9a373b5312afbebe7a714a789de108f0bdfe846570885f57e84"
        ),
        Row(
            testDescription: "get-relative",
            target: "/example/..",
            signature: "5fa00fa31553b73ebf1942676e86291e8372ff2a2260956d9b8aae1d763fbf31"
        ),
        Row(
            testDescription: "get-relative-relative",
            target: "/example1/example2/../..",
            signature: "5fa00fa31553b73ebf1942676e86291e8372ff2a2260956d9b8aae1d763fbf31"
        ),
        Row(
            testDescription: "get-slash-dot-slash",
            target: "/./",
            signature: "5fa00fa31553b73ebf1942676e86291e8372ff2a2260956d9b8aae1d763fbf31"
        ),
        Row(
            testDescription: "get-slash-pointless-dot",
            target: "/./example",
            signature: "ef75d96142cf21edca26f06005da7988e4f8dc83a165a80865db7089db637ec5"
        ),
        Row(
            testDescription: "botocore: a path that leads above the root",
            target: "/a/../../b/./c%2Fd/",
            signature: "1e9ef3a1734bec214a91c5599b20064f8a37311855fa41c2209ffbfad5919479"
        ),
        Row(
            testDescription: "botocore: a path that ends in two dots",
            target: "/a/b/..",
            signature: "e7dfad111cdad6139e285ddec7592de69207ee936e9af6cffa906e281325f76a"
        ),
        Row(
            testDescription: "botocore: names that begin with dots",
            target: "/.hidden/...",
            signature: "9f274dfa898dfff5844b710ffd67a03bcf13a77ebc512946c858923603450529"
        ),
        Row(
            testDescription: "botocore: dots that are encoded",
            target: "/a/%2E%2E/b",
            signature: "8d7341d0ebc86c1931ad8360312d52a21a79bd6a9bc35257a59d83defbd93e30"
        ),
    ]

    private static let signature = SignatureV4(region: "us-east-1", service: "service")

    @Test(arguments: published + paths)
    func `signatures are those that are published`(_ row: Row) throws {
        let time = try #require(SigningTime("20150830T123600Z"))
        let always = ["host": "example.amazonaws.com", "x-amz-date": time.text]
        let request = CanonicalRequest(
            method: row.method,
            target: row.target,
            fields: row.fields.merging(always) { first, _ in first },
            bodyHash: SignatureV4.hash(Data(row.body.utf8))
        )
        let secret = DemoCommand.account.secret
        #expect(Self.signature.signature(for: request, secret: secret, at: time) == row.signature)
    }

    @Test func `a request of the client is signed as botocore signs it, for the object store as well`() async throws {
        let time = try #require(SigningTime("20150830T123600Z")).date
        let signature = SignatureV4(region: "us-east-1", service: "s3")
        let origin = Origin(scheme: .https, host: "bucket.s3.amazonaws.com")
        let signer = AWSSigner(account: DemoCommand.account, signature: signature, origin: origin) { time }
        let seen = Seen()
        var configuration = Client.Configuration()
        configuration.signer = signer
        let client = Client(configuration: configuration, transport: seen)
        _ = await #expect(throws: ClientError.self) {
            try await client.data(for: Request(.get, "https://bucket.s3.amazonaws.com/a%20b/photo.jpg"))
        }
        let fields = try #require(seen.fields)
        #expect(
            fields[.authorization] == "AWS4-HMAC-SHA256 Credential=AKIDEXAMPLE/20150830/us-east-1/s3/aws4_request, "
                + "SignedHeaders=host;x-amz-content-sha256;x-amz-date, "
                + "Signature=1206c3f00c33ccb10224e6ad08c367248d6e12c7ee3e59668b226086b06d275d"
        )
    }

    @Test func `another host gets no signature`() async throws {
        let signer = AWSSigner(
            account: DemoCommand.account,
            signature: Self.signature,
            origin: Origin(scheme: .https, host: "example.amazonaws.com")
        )
        let seen = Seen()
        var configuration = Client.Configuration()
        configuration.signer = signer
        let client = Client(configuration: configuration, transport: seen)
        _ = await #expect(throws: ClientError.self) {
            try await client.data(for: Request(.get, "https://elsewhere.example/"))
        }
        #expect(try #require(seen.fields)[.authorization] == nil)
    }

    @Test func `no description shows the secret`() {
        #expect("\(DemoCommand.account)" == "AKIDEXAMPLE:***")
    }

    @Test(.timeLimit(.minutes(1))) func `the demo tells its story`() async throws {
        let story = Story()
        try await DemoCommand.play { story.add($0) }
        #expect(
            story.lines == [
                "signed, with a body:", "  PUT /albums/summer 2026/a+b.txt: 201 Created, stored 18 bytes",
                "signed, to read it again:", "  GET /albums/summer 2026/a+b.txt: 200 OK, a dog on the beach",
                "not signed:", "  GET /albums/summer 2026/a+b.txt: 403 Forbidden, MissingAuthenticationToken",
                "signed with a wrong secret:",
                "  GET /albums/summer 2026/a+b.txt: 403 Forbidden, SignatureDoesNotMatch", "signed an hour ago:",
                "  GET /albums/summer 2026/a+b.txt: 403 Forbidden, RequestTimeTooSkewed",
            ]
        )
    }
}
