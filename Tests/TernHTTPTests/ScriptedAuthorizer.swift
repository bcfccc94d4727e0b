// SPDX-License-Identifier: Apache-2.0
import ClientTestSupport
import HTTPTypes
import Synchronization
import TernErrors
import TernProxies
import TernTransport

/// Gives the credentials of a list, one for each time it is asked, and remembers what it was asked.
final class ScriptedAuthorizer: TunnelAuthorizer {
    struct Record: Sendable {
        /// The requested tunnels, and their proxies.
        var tunnels: [String] = []
        /// The statuses that it was asked to answer; 0 stands for the first time.
        var statuses: [Int] = []
        var acceptedCount = 0
    }

    private let credentials: Mutex<[String?]>
    private let state = Mutex(Record())
    let isForOneCall: Bool
    let failure: ClientError?

    /// - Parameters:
    /// - credentials: The credentials to return in turn, or `nil` for no credential; no credential after the last one.
    ///   - isForOneCall: whether they are for one call alone.
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
