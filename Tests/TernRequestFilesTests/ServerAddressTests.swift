// SPDX-License-Identifier: Apache-2.0
import TernRequestFiles
import Testing

@Suite("The address of a server with variables")
struct ServerAddressTests {
    static let addresses: [(address: String, value: String, text: String?)] = [
        ("http://{{a}}/", "h:80", "http://h:80"), ("http://{{a}}.example/", "h/", nil), ("http://{{a}}/", "x@h", nil),
        ("{{a}}b/", "http://h/", "http://h/b"), ("{{a}}b/", "h/", nil), ("{{a}}/", "h", "http://h"),
        ("{{a}}://h/", "ftp", nil), ("{{a}}://h/", "https", "https://h"), ("{{a}}/", "h:99999", nil),
        ("{{a}}/", "https://h/x?y", "https://h/x?y"), ("{{a}}/", "a b", nil), ("{{a}}:{{a}}/", "80", nil),
    ]

    @Test(arguments: addresses)
    func `a value changes only its part of an address`(address: String, value: String, text: String?) throws {
        let (request, _) = try readOneLeniently("get \(address)x")
        guard case .template(let template) = request.server else { throw CancellationError() }
        #expect((try? ServerAddress.text(of: template) { _ in value }) == text)
    }
}
