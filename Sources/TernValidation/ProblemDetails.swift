// SPDX-License-Identifier: Apache-2.0

// Exported, so that `description` and its like are found where only this module is imported (MemberImportVisibility).
@_exported public import TernValues
import HTTPTypes
public import TernErrors

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// What a server says about a problem in a form that programs can read (RFC 9457).
///
/// Everything in it was chosen by the server: show it as text, and do not follow its references unasked.
public struct ProblemDetails: Hashable, Sendable {
    /// The media type, `application/problem+json`; that in XML (RFC 9457 Appendix B) is not read.
    package static let mediaType = "application/problem+json"
    /// How long a text may be that is read, in bytes: 256 KiB.
    package static let maximumByteCount = 256 << 10

    /// A URI reference that names the kind of problem; `about:blank` where there is none, which means no more than the
    /// status does (RFC 9457 §4.2.1).
    public var type = "about:blank"
    /// What kind of problem it is, in a few words.
    public var title: String?
    /// The status, as the server generated it; a proxy may have changed that of the response since.
    public var status: Int?
    /// What went wrong this time.
    public var detail: String?
    /// A URI reference that names this occurrence.
    public var instance: String?
    /// All other members; an application reads its own by `ClientError.decoded(as:by:)`.
    package var extensions: [String: JSONValue] = [:]

    /// Creates details that say nothing.
    package init() {}

    /// Reads details.
    ///
    /// - Parameter json: an object. It is `nil` for anything else, for more than ``maximumByteCount``, for more
    ///   than 4096 values, and for what is nested deeper than `JSONValue.maximumDepth`.
    /// - Complexity: O(*n*) in the length of the text.
    package init?(json: Data) {
        guard json.count <= Self.maximumByteCount,
            case .object(var members)? = JSONReader.value(of: Array(json))
        else { return nil }
        // "If a member's value type does not match the specified type, the member MUST be ignored" (RFC 9457 §3.1).
        if let type = members.removeValue(forKey: "type")?.string { self.type = type }
        self.title = members.removeValue(forKey: "title")?.string
        self.status = members.removeValue(forKey: "status")?.integer.flatMap { 100..<600 ~= $0 ? $0 : nil }
        self.detail = members.removeValue(forKey: "detail")?.string
        self.instance = members.removeValue(forKey: "instance")?.string
        self.extensions = members
    }
}

extension ProblemDetails: CustomStringConvertible, Described {
    /// The title, or the type: what belongs to the occurrence may be private.
    package var wording: String { self.title ?? self.type }
}

extension ClientError {
    /// What the server says about the problem, if it says it in the form of RFC 9457.
    ///
    /// It is read each time from what `validationFailed` or `webSocketRefused` kept of the body, in a single pass with limits.
    /// It is `nil` for every other error, for another media type than `application/problem+json`, and where the kept part is
    /// not the whole.
    public var problemDetails: ProblemDetails? {
        switch self {
        case .validationFailed, .webSocketRefused: break
        default: return nil
        }
        guard let body = self.wholeBody,
            let type = self.context.response?.headerFields[.contentType].flatMap({ MediaType($0) }),
            type.essence == ProblemDetails.mediaType
        else { return nil }
        return ProblemDetails(json: body)
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
    /// - Returns: the value; `nil` for other errors than `validationFailed`, `decodingFailed` and `webSocketRefused`, where the
    ///   body was longer than what is kept, and for a body that is no such value.
    public func decoded<Value: Decodable>(as type: Value.Type, by decoder: JSONDecoder = JSONDecoder()) -> Value? {
        guard let body = self.wholeBody else { return nil }
        return try? decoder.decode(type, from: body)
    }

    private var wholeBody: Data? {
        switch self {
        case .validationFailed(let failure, _): failure.isBodyComplete ? failure.body : nil
        case .decodingFailed(let failure, _): failure.isBodyComplete ? failure.body : nil
        case .webSocketRefused(let refusal, _): refusal.isBodyComplete ? refusal.body : nil
        default: nil
        }
    }
}
