// SPDX-License-Identifier: Apache-2.0
import Tern
import TernFoundation
import TernURLLoading
import TernURLSession

/// A transport that a scenario runs over.
///
/// The article of TernURLSession lists the scenarios that do not run over `URLSession`, with the reasons.
enum TestedTransport: Sendable {
    /// Tern's own transport.
    case own
    /// `URLSession`.
    case system

    /// Both transports.
    ///
    /// `scripts/test --apple-shape` sets the variable: the lines of TernURLSession for Apple platforms do not fit the
    /// `URLSession` of Linux, over which they would run.
    static let allCases: [TestedTransport] =
        ProcessInfo.processInfo.environment["TERN_TEST_APPLE_SHAPE"] == nil ? [.own, .system] : [.own]

    /// Returns a client with this transport.
    func makeClient(_ configuration: Client.Configuration) -> Client {
        switch self {
        case .own: Client(configuration: configuration)
        case .system: Client(configuration: configuration, transport: URLSessionTransport(.ephemeral))
        }
    }
}
