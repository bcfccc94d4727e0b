// SPDX-License-Identifier: Apache-2.0

// Exported, so that a file that imports only this module sees `description` and the like (MemberImportVisibility).
@_exported public import TernValues
import HTTPTypes
public import TernErrors
public import TernFoundation

/// A server's description of a problem, in a form that programs can read (RFC 9457).
///
/// The content comes from the server: show it as text, and do not open its links without asking the user.
public struct ProblemDetails: Hashable, Sendable {
    package static let mediaType = "application/problem+json"
    /// The maximum length of the description of a problem, in bytes.
    ///
    /// Beyond it, the error has no problem details.
    package static let maximumByteCount = 256 << 10

    /// A URI reference that names the kind of problem; `about:blank` adds nothing to the meaning of the status (RFC 9457 §4.2.1).
    public var type = "about:blank"
    /// A short description of the kind of problem.
    public var title: String?
    /// The status that the server wrote into the details; a proxy may have changed the status of the response.
    public var status: Int?
    /// A description of this occurrence of the problem.
    public var detail: String?
    /// A URI reference that names this occurrence.
    public var instance: String?
    /// All other members, which an application reads with `ClientError.decoded(as:by:)`.
    package var extensions: [String: JSONValue] = [:]

    package init() {}

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
    /// The title, or the type; the details of the occurrence may be private.
    package var wording: String { self.title ?? self.type }
}

extension ClientError {
    /// The server's description of the problem, if it has the form of RFC 9457.
    ///
    /// Each access parses the body that `validationFailed` or `webSocketRefused` kept. The value is `nil`, for example, for other
    /// errors, for media types other than `application/problem+json`, for a body of which only a part was kept, and for JSON that
    /// is malformed, not an object, too large or nested too deeply.
    public var problemDetails: ProblemDetails? {
        switch self {
        case .validationFailed, .webSocketRefused: break
        default: return nil
        }
        guard let body = self.wholeBody,
            let type = self.context.response.flatMap({ MediaType(of: $0.headerFields) }),
            type.essence == ProblemDetails.mediaType
        else { return nil }
        return ProblemDetails(json: body)
    }

    /// Returns the body that this error kept, decoded as the error type of the service.
    ///
    /// ```swift
    /// if let reason = error.decoded(as: PhotoServiceError.self) { show(reason.message) }
    /// ```
    ///
    /// - Parameters:
    ///   - type: The type of the service's error responses.
    ///   - decoder: The decoder.
    /// - Returns: The value. `nil` if decoding fails, if only a part of the body was kept, or if the error is not
    ///   `validationFailed`, `decodingFailed` or `webSocketRefused`.
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
