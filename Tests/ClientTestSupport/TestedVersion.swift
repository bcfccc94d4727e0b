// SPDX-License-Identifier: Apache-2.0
package import Tern
import TernFoundation
package import TernTransport
package import Testing

/// The version of HTTP over which the tests of the client run.
///
/// `scripts/test` runs these tests twice: over HTTP/1.1, and over HTTP/2 with `TERN_TEST_HTTP_VERSION=2`.
package enum TestedVersion {
    /// Whether the tests run over HTTP/2.
    package static let isHTTP2 = ProcessInfo.processInfo.environment["TERN_TEST_HTTP_VERSION"] == "2"
    /// The version of HTTP that the servers use.
    package static let version: HTTPVersion = Self.isHTTP2 ? .http2 : .http11
}

extension Trait where Self == ConditionTrait {
    /// Skips a test in the run over HTTP/2, because it is about HTTP/1.1 or needs a connection of its own.
    ///
    /// - Parameter reason: The reason, such as `asserts the framing of HTTP/1.1`.
    /// - Returns: The trait.
    package static func http1Only(_ reason: Comment) -> Self { .disabled(if: TestedVersion.isHTTP2, reason) }
}

extension Client.Configuration {
    /// The defaults, with the version of HTTP under test.
    package static var tested: Client.Configuration { Client.Configuration().tested }

    /// The configuration with the version of HTTP under test, unless it sets a version itself.
    package var tested: Client.Configuration {
        guard TestedVersion.isHTTP2, self.httpVersion == .automatic else { return self }
        var configuration = self
        configuration.httpVersion = .http2PriorKnowledge
        return configuration
    }
}
