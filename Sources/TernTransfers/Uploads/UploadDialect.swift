// SPDX-License-Identifier: Apache-2.0
package import HTTPTypes
package import TernRequests

/// The part of an upload that differs between protocols: the fields of requests, and the meaning of responses.
package protocol UploadDialect: Sendable {
    /// Whether an upload with all bytes still needs a request that completes it.
    var completesExplicitly: Bool { get }
    /// `nil` for the caller's method.
    var creationMethod: HTTPRequest.Method? { get }
    /// Whether a creation that does not complete the upload may be sent twice; the server deletes an upload whose URL no client
    /// knows.
    var mayRepeatCreation: Bool { get }
    /// Whether the request that creates an upload may have the digest of the whole file.
    var sendsDigest: Bool { get }

    func creationFields(_ body: Range<Int64>, _ configuration: UploadConfiguration) -> HTTPFields

    func appendFields(_ body: Range<Int64>, completes: Bool) -> HTTPFields

    /// The fields of a request that neither creates an upload nor sends bytes.
    var fields: HTTPFields { get }

    func accepts(_ notice: UploadNotice) -> Bool

    /// Reads the limits, the lifetime and the offset of an upload.
    func report(_ fields: HTTPFields, now: HTTPDate) -> UploadReport

    func decision(about response: UploadResponse, to exchange: UploadExchange) -> UploadDecision
}

extension UploadProtocol {
    func dialect() -> any UploadDialect {
        switch self {
        case .draft(let version): DraftDialect(version)
        case .tus: TusDialect()
        }
    }
}
