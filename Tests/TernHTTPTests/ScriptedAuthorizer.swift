// SPDX-License-Identifier: Apache-2.0
import ClientTestSupport
import HTTPTypes
import Synchronization
import TernErrors
import TernProxies
import TernTransport

/// An authorizer that returns one credential of a list for each question, and records the questions.
final class ScriptedAuthorizer: TunnelAuthorizer {
    struct Record: Sendable {
        /// The requested tunnels, and their proxies.
        var tunnels: [String] = []
        /// The statuses of the responses to answer; 0 means that there was no response yet.
        var statuses: [Int] = []
        var acceptedCount = 0
    }

    private let credentials: Mutex<[String?]>
    private let state = Mutex(Record())
    let isForOneCall: Bool
    let failure: ClientError?

    /// - Parameters:
    ///   - credentials: The credentials to return in turn. `nil` means no credential, and so does the end of the list.
    ///   - isForOneCall: Whether the credentials are for only one call. Defaults to `false`.
    ///   - failure: The error to throw for a challenge.
    init(_ credentials: String?..., isForOneCall: Bool = false, failure: ClientError? = nil) {
        self.credentials = Mutex(credentials)
        self.isForOneCall = isForOneCall
        self.failure = failure
    }

    var record: Record { self.state.withLock { $0 } }

    func tunnel(to authority: String, through proxy: Proxy, for call: HTTPCall) -> any TunnelAuthorization {
        self.state.withLock { $0.tunnels.append("\(authority) \(proxy)") }
        return Opening(self)
    }

    private final class Opening: TunnelAuthorization {
        private let authorizer: ScriptedAuthorizer

        init(_ authorizer: ScriptedAuthorizer) { self.authorizer = authorizer }

        var isForOneCall: Bool { self.authorizer.isForOneCall }

        func field(answering response: HTTPResponse?) async throws(ClientError) -> HTTPField? {
            self.authorizer.state.withLock { $0.statuses.append(response?.status.code ?? 0) }
            if response != nil, let failure = self.authorizer.failure { throw failure }
            let value = self.authorizer.credentials.withLock { $0.isEmpty ? nil : $0.removeFirst() }
            return value.map { HTTPField(name: .proxyAuthorization, value: $0) }
        }

        func accepted() async { self.authorizer.state.withLock { $0.acceptedCount += 1 } }
    }
}
