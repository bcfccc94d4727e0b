// SPDX-License-Identifier: Apache-2.0
import Testing

@testable import TernCommand

@Suite("A URL that is told")
struct ShownURLTests {
    @Test(arguments: [
        ("http://anna:woof@host/a?b=c@d#e", "http://host/a?b=c@d#e"),
        ("wss://anna@host:8080", "wss://host:8080"),
        ("http://anna:wo@of@host/", "http://host/"),
        ("http://host/anna:woof@there", "http://host/anna:woof@there"),
        ("http://host?anna@there", "http://host?anna@there"),
        ("anna:woof@host/a", "host/a"),
        ("http://anna:woof@ho st/", "http://ho st/"),
        ("", ""),
    ])
    func `has no user and no password`(url: String, shown: String) {
        #expect(ShownURL.text(url) == shown)
    }
}
