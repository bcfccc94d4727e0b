// SPDX-License-Identifier: Apache-2.0
import Testing

@testable import TernCommand

@Suite("A URL that is told")
struct RedactedURLTests {
    @Test(arguments: [
        ("http://anna:woof@host/a?b=c@d#e", "http://host/a?REDACTED"),
        ("http://host/a?token=s3cret", "http://host/a?REDACTED"), ("http://host/a?", "http://host/a?REDACTED"),
        ("http://host/a#token=s3cret", "http://host/a"), ("http://host/a#b?c", "http://host/a"),
        ("wss://anna@host:8080", "wss://host:8080"),
        ("http://anna:wo@of@host/", "http://host/"),
        ("http://host/anna:woof@there", "http://host/anna:woof@there"),
        ("http://host?anna@there", "http://host?REDACTED"),
        ("anna:woof@host/a", "host/a"),
        ("http://anna:woof@ho st/", "http://ho st/"),
        ("", ""),
    ])
    func `has no user, no password and no query`(url: String, shown: String) {
        #expect(RedactedURL.text(url) == shown)
    }
}
