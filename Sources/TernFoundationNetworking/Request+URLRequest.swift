// SPDX-License-Identifier: Apache-2.0
import HTTPTypes
import TernErrors
public import TernRequests
public import TernURLLoading

extension Request {
    /// Creates a request with the method, the URL, the fields and `httpBody` of a request of Foundation.
    ///
    /// ```swift
    /// let (data, response) = try await client.data(for: Request(urlRequest))
    /// ```
    ///
    /// A positive `timeoutInterval` other than Foundation's default of 60 seconds becomes `Timeouts.firstByte` and `Timeouts.idle`;
    /// a century or more, such as infinity, means no limit. The other limits are then the defaults of `Timeouts`, not the client's.
    ///
    /// Everything else is ignored, such as the policies for the cache, cookies and the kind of network, because the client decides
    /// about it. A missing URL, a malformed method or field, and an `httpBodyStream`, which only `URLSession` can read, become the
    /// `problem` of the new request; use `body(stream:)` instead of a stream.
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
        let interval = urlRequest.timeoutInterval
        // 0 asks for the default. `Duration` traps at numbers that it cannot hold, such as infinity.
        if interval != Self.foundationTimeout, interval > 0 {
            let limit: Duration? = interval < Self.century ? .seconds(interval) : nil
            self = self.timeouts(Timeouts(firstByte: limit, idle: limit))
        }
    }

    private static let foundationTimeout = 60.0
    private static let century = 3_155_760_000.0

    private static func method(_ text: String?) -> HTTPRequest.Method? { HTTPRequest.Method(text ?? "GET") }
}
