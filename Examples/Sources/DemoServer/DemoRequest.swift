// SPDX-License-Identifier: Apache-2.0
import NIOHTTP1

/// A request, as the server of an example received it.
public struct DemoRequest: Sendable {
    /// The method, such as `GET`.
    public let method: String
    /// The target, such as `/photos/1?size=small`.
    public let target: String
    public let body: [UInt8]
    private let headers: HTTPHeaders

    init(_ head: HTTPRequestHead, body: [UInt8]) {
        self.method = head.method.rawValue
        self.target = head.uri
        self.body = body
        self.headers = head.headers
    }

    /// The target without its query.
    public var path: String { String(self.target.prefix { $0 != "?" }) }

    /// The first field with this name, or `nil` if the request has no such field.
    public subscript(field: String) -> String? { self.headers.first(name: field) }
}
