// SPDX-License-Identifier: Apache-2.0
import Tern
import TernURLLoading
import TernURLSession

/// A transport that a scenario runs over.
///
/// The article of TernURLSession lists the scenarios that do not run over `URLSession`, with the reasons.
enum TestedTransport: CaseIterable, Sendable {
    /// Tern's own transport.
    case own
    /// `URLSession`.
    case system

    /// Returns a client with this transport.
    func makeClient(_ configuration: Client.Configuration) -> Client {
        switch self {
        case .own: Client(configuration: configuration)
        case .system: Client(configuration: configuration, transport: URLSessionTransport(.ephemeral))
        }
    }
}
