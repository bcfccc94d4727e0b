// SPDX-License-Identifier: Apache-2.0
import HTTPTypes
import TernErrors
public import TernRequests
public import TernURLLoading

extension Request {
    /// Creates a request of Tern from a request of Foundation.
    ///
    /// ```swift
    /// let (data, response) = try await client.data(for: Request(urlRequest))
    /// ```
    ///
    /// The request takes over the method, the URL, the fields and `httpBody`. A `timeoutInterval` other than
    /// Foundation's default of 60 seconds becomes `Timeouts.firstByte` and `Timeouts.idle`, because `URLSession` uses
    /// it for both. The other limits then have the defaults of `Timeouts()`. The request ignores the policies for the
    /// cache, cookies and the kind of network, because the client decides about them.
    ///
    /// An invalid part of the request becomes its `problem`: a missing URL, a malformed method or field, or an
    /// `httpBodyStream`, which only `URLSession` can read. Use `body(stream:)` instead of such a stream.
    ///
    /// - Parameter urlRequest: The request of Foundation.
    public init(_ urlRequest: URLRequest) {
        self =
            Self.method(urlRequest.httpMethod).map { method in
                urlRequest.url.map { Request(method, $0) } ?? Request(method, "")
            } ?? Request(.get, "").refused(.malformedMethod)
        for (name, value) in (urlRequest.allHTTPHeaderFields ?? [:]).sorted(by: { $0.key < $1.key }) {
            self = self.header(name, value)
        }
        if let body = urlRequest.httpBody {
            self = self.body(data: body)
        } else if urlRequest.httpBodyStream != nil {
            self = self.refused(
                .bodyNotEncodable("only URLSession can read an httpBodyStream; use body(stream:) instead")
            )
        }
        if urlRequest.timeoutInterval != Self.foundationTimeout {
            let limit = Duration.seconds(urlRequest.timeoutInterval)
            self = self.timeouts(Timeouts(firstByte: limit, idle: limit))
        }
    }

    /// The default timeout of `URLRequest`, in seconds.
    private static let foundationTimeout = 60.0

    private static func method(_ text: String?) -> HTTPRequest.Method? { HTTPRequest.Method(text ?? "GET") }
}
