// SPDX-License-Identifier: Apache-2.0
import HTTPTypes
import TernRequests
import TernTransfers
import Testing

/// A response, and its meaning for an upload of 1000 bytes.
struct UploadDecisionRow: CustomTestStringConvertible, Sendable {
    let section: String
    let name: String
    let status: Int
    let fields: HTTPFields
    let problem: UploadProblem?
    let decision: UploadDecision

    init(
        _ section: String,
        _ name: String,
        _ status: Int,
        _ fields: HTTPFields = [:],
        _ problem: UploadProblem? = nil,
        _ decision: UploadDecision
    ) {
        (self.section, self.name, self.status, self.fields) = (section, name, status, fields)
        (self.problem, self.decision) = (problem, decision)
    }

    var testDescription: String { "\(self.section) \(self.status): \(self.name)" }

    /// Decides about the response to a request with these properties.
    func decide(
        _ dialect: some UploadDialect,
        _ purpose: UploadRequest.Purpose,
        _ body: Range<Int64>? = nil,
        location: UploadURL? = UploadSamples.location,
        fileByteCount: Int64 = 1000,
        checksum: HashAlgorithm? = nil
    ) -> UploadDecision {
        let request = UploadRequest(purpose, .patch, fields: [:], body: body, checksum: checksum)
        let exchange = UploadExchange(
            request,
            fileByteCount: fileByteCount,
            location: location,
            transientStatusCodes: ResumptionPolicy().statusCodes
        )
        let response = UploadResponse(
            status: self.status,
            fields: self.fields,
            url: UploadSamples.target,
            problem: self.problem
        )
        return dialect.decision(about: response, to: exchange)
    }

    static let location: HTTPFields = [.location: "/uploads/abc"]

    static func violation(_ violation: UploadViolation) -> UploadDecision { .fail(.violation(violation)) }
}
