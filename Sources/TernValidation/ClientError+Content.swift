// SPDX-License-Identifier: Apache-2.0
import HTTPTypes
public import TernErrors

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

extension ClientError {
    /// What the server says about the problem, if it says it in the form of RFC 9457.
    ///
    /// It is read each time from what `validationFailed` kept of the body, in a single pass with limits; `nil` for every other error, for another media
    /// type than `application/problem+json`, and where the kept part is not the whole.
    public var problemDetails: ProblemDetails? {
        guard case .validationFailed(let failure, let context) = self, failure.isBodyComplete,
            let type = context.response?.headerFields[.contentType].flatMap({ MediaType($0) }),
            type.essence == ProblemDetails.mediaType
        else { return nil }
        return ProblemDetails(json: failure.body)
    }

    /// The body of a response that was not accepted, or that is another value, as the error type of the service.
    ///
    /// ```swift
    /// if let reason = error.decoded(as: PhotoServiceError.self) { show(reason.message) }
    /// ```
    ///
    /// - Parameters:
    ///   - type: what the service answers where something is wrong.
    ///   - decoder: how to read it; by default a `JSONDecoder` as it comes.
    /// - Returns: the value; `nil` for other errors than `validationFailed` and `decodingFailed`, where the body was longer
    ///   than what is kept, and for a body that is no such value.
    public func decoded<Value: Decodable>(as type: Value.Type, by decoder: JSONDecoder = JSONDecoder()) -> Value? {
        guard let body = self.wholeBody else { return nil }
        return try? decoder.decode(type, from: body)
    }

    private var wholeBody: Data? {
        switch self {
        case .validationFailed(let failure, _): failure.isBodyComplete ? failure.body : nil
        case .decodingFailed(let failure, _): failure.isBodyComplete ? failure.body : nil
        default: nil
        }
    }
}
