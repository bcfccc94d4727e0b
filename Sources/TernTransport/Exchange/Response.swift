// SPDX-License-Identifier: Apache-2.0
public import HTTPTypes
import Synchronization
public import TernHTTP1

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// The head of a final response: status and fields, and where it came from.
///
/// The full ``fields`` are made when they are first asked for, since many callers look at the status only.
public struct Response: Sendable {
    private final class Storage: Sendable {
        let url: URL
        let head: ResponseHead
        let isReused: Bool
        let fields = Mutex<HTTPFields?>(nil)

        init(url: URL, head: ResponseHead, isReused: Bool) {
            self.url = url
            self.head = head
            self.isReused = isReused
        }
    }

    private let storage: Storage

    /// Creates a response from a decoded head.
    ///
    /// - Parameters:
    ///   - url: what was asked for.
    ///   - head: the decoded head.
    ///   - isReused: whether the connection had served a request before.
    public init(url: URL, head: ResponseHead, isReused: Bool = false) {
        self.storage = Storage(url: url, head: head, isReused: isReused)
    }

    /// The URL that gave this response.
    public var url: URL { self.storage.url }
    /// The status, such as 200 OK.
    public var status: HTTPResponse.Status {
        HTTPResponse.Status(code: self.storage.head.statusCode, reasonPhrase: self.storage.head.reasonPhrase)
    }
    /// The status code, such as 200.
    public var statusCode: Int { self.storage.head.statusCode }
    /// Whether the status is 2xx.
    public var isSuccess: Bool { 200..<300 ~= self.statusCode }
    /// The fields, in the order in which they came.
    public var fields: HTTPFields {
        self.storage.fields.withLock { fields in
            if let fields { return fields }
            let made = self.storage.head.fields.makeHTTPFields()
            fields = made
            return made
        }
    }
    /// The first value of a field, without making all of them; `nil` if there is none.
    public subscript(_ name: HTTPField.Name) -> String? { self.storage.head.fields[name] }
    /// Which of the fields that steer a client are there, known without a search.
    public var noticedFields: NoticedFields { self.storage.head.noticedFields }
    /// The length of the body as announced by `Content-Length`, in bytes; `nil` if it was not announced.
    ///
    /// Of content that was compressed for the way (`Content-Encoding`) it is the length as it was sent.
    public var contentLength: Int64? { self.storage.head.contentLength }
    /// Whether the response came over a connection that had served a request before.
    public var isConnectionReused: Bool { self.storage.isReused }
    /// Status and fields as a value of swift-http-types.
    public var httpResponse: HTTPResponse { HTTPResponse(status: self.status, headerFields: self.fields) }
}

extension Response: CustomStringConvertible {
    /// Status only: fields may hold secrets.
    public var description: String { "\(self.status)" }
}
