// SPDX-License-Identifier: Apache-2.0
import TernRequests
import TernURLLoading

/// A session of `URLSession` that runs exchanges; its release ends it once its running tasks have ended.
final class ManagedSession: Sendable {
    private let session: URLSession
    private let delegate = SessionDelegate()
    private let approvals = ServerApprovals()

    /// Creates a session with a configuration that `withoutStages()` has returned.
    init(_ configuration: URLSessionConfiguration) {
        self.session = URLSession(configuration: configuration, delegate: self.delegate, delegateQueue: nil)
    }

    deinit { self.session.finishTasksAndInvalidate() }

    func begin(_ exchange: SessionExchange, _ request: URLRequest, _ body: OutgoingBody) {
        var request = request
        let task: URLSessionTask
        switch body {
        case .none: task = self.session.dataTask(with: request)
        case .data(let data): task = self.session.uploadTask(with: request, from: data)
        case .file(let url, _): task = self.session.uploadTask(with: request, fromFile: url)
        case .stream:
            request.httpBodyStream = exchange.makeBodyStream()
            task = self.session.dataTask(with: request)
        }
        self.delegate.add(exchange, of: task)
        exchange.begin(task, self.approvals)
    }
}

extension URLSessionConfiguration {
    /// Returns a copy that leaves to the stages of the client what they do: cookies, the cache, credentials and time
    /// limits.
    func withoutStages() -> URLSessionConfiguration {
        let configuration = self.copy() as? URLSessionConfiguration ?? self
        configuration.urlCache = nil
        configuration.requestCachePolicy = .useProtocolCachePolicy
        configuration.httpCookieStorage = nil
        configuration.httpShouldSetCookies = false
        configuration.httpCookieAcceptPolicy = .never
        configuration.urlCredentialStorage = nil
        configuration.timeoutIntervalForRequest = OutgoingURLRequest.timeoutInterval
        return configuration
    }
}
