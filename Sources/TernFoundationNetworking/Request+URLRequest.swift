// SPDX-License-Identifier: Apache-2.0
import HTTPTypes
import TernErrors
public import TernRequests

#if canImport(FoundationNetworking)
import Foundation
public import FoundationNetworking
#else
public import Foundation
#endif

extension Request {
    /// Creates a request of Tern from one of Foundation.
    ///
    /// ```swift
    /// let (data, response) = try await client.data(for: Request(urlRequest))
    /// ```
    ///
    /// Method, URL, fields and `httpBody` are taken over. A `timeoutInterval` other than the 60 seconds that Foundation sets
    /// by itself becomes `Timeouts.firstByte` and `Timeouts.idle`, which is what it means to `URLSession`; the other limits
    /// are then those of `Timeouts()`. The policies of the request for the cache, cookies and the kind of network are left
    /// out: they are the client's.
    ///
    /// What cannot be sent is the request's `problem`: a missing URL, a method or a field that is malformed, and an
    /// `httpBodyStream`, which only `URLSession` can read; use `body(stream:)` in its place.
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
            self = self.refused(.bodyNotEncodable("an httpBodyStream can be read by URLSession only"))
        }
        if urlRequest.timeoutInterval != Self.foundationTimeout {
            let limit = Duration.seconds(urlRequest.timeoutInterval)
            self = self.timeouts(Timeouts(firstByte: limit, idle: limit))
        }
    }

    /// The default of `URLRequest`, in seconds.
    private static let foundationTimeout = 60.0

    private static func method(_ text: String?) -> HTTPRequest.Method? { HTTPRequest.Method(text ?? "GET") }
}
