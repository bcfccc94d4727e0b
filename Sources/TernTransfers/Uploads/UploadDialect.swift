// SPDX-License-Identifier: Apache-2.0
package import HTTPTypes
package import TernRequests

/// The part of an upload that differs from protocol to protocol: the fields of requests, and the meaning of responses.
package protocol UploadDialect: Sendable {
    /// Whether an upload with all bytes still needs a request that completes it.
    var completesExplicitly: Bool { get }
    /// The method of the request that asks the server to create an upload; `nil` for the caller's method.
    var creationMethod: HTTPRequest.Method? { get }
    /// Whether the request that creates the upload may be sent twice if it does not complete the upload.
    ///
    /// After a repetition, the server may have an upload whose URL no client knows, and deletes it after a while.
    var mayRepeatCreation: Bool { get }
    /// Whether the request that creates an upload may have the digest of the whole file.
    var sendsDigest: Bool { get }

    /// Returns the fields of the request that creates an upload.
    ///
    /// - Parameters:
    ///   - body: The bytes of the file to send with the request.
    ///   - configuration: The parameters of the upload.
    /// - Returns: The fields.
    func creationFields(_ body: Range<Int64>, _ configuration: UploadConfiguration) -> HTTPFields

    /// Returns the fields of the request that sends bytes.
    ///
    /// - Parameters:
    ///   - body: The bytes of the file to send.
    ///   - completes: Whether these bytes are the rest of the file.
    /// - Returns: The fields.
    func appendFields(_ body: Range<Int64>, completes: Bool) -> HTTPFields

    /// The fields of a request that neither creates an upload nor sends bytes.
    var fields: HTTPFields { get }

    /// Returns whether an informational response belongs to the protocol.
    func accepts(_ notice: UploadNotice) -> Bool

    /// Reads the limits, the lifetime and the offset of an upload.
    ///
    /// - Parameters:
    ///   - fields: The fields of a response.
    ///   - now: The current time.
    /// - Returns: The report; what the response does not say is `nil`.
    func report(_ fields: HTTPFields, now: HTTPDate) -> UploadReport

    /// Decides about a final response.
    ///
    /// - Parameters:
    ///   - response: The response.
    ///   - exchange: The request that it belongs to.
    /// - Returns: The decision.
    func decision(about response: UploadResponse, to exchange: UploadExchange) -> UploadDecision
}

extension UploadProtocol {
    /// Returns the dialect of the protocol.
    func dialect() -> any UploadDialect {
        switch self {
        case .draft(let version): DraftDialect(version)
        case .tus: TusDialect()
        }
    }
}
