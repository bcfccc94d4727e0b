// SPDX-License-Identifier: Apache-2.0
import HTTPTypes
import TernErrors
import TernRequests
import TernTransport
import TernURLLoading

/// A request for `URLSession`, and what the transport must know about it later.
struct OutgoingURLRequest: Sendable {
    /// The limit of `URLSession` for silence, in seconds: a week, because Tern's own limits apply.
    static let timeoutInterval = 604_800.0

    var urlRequest: URLRequest
    /// Whether `URLSession` asks for content codings itself, so that it decodes each of them.
    let asksForCodings: Bool

    /// Throws `ClientError.invalidRequest` as the client's own transport does, for example if a field decides where the body ends;
    /// without `announcedLength`, `URLSession` may send chunks.
    init(_ call: HTTPCall, hasBody: Bool, announcedLength: Int64?) throws(ClientError) {
        let fields = call.request.effectiveFields
        let bodyLength: OutgoingHead.BodyLength =
            if !hasBody { .none } else if let announcedLength { .bytes(announcedLength) } else { .unknown }
        do throws(RequestFailure) {
            // Created only because that checks the head.
            _ = try OutgoingHead(
                of: call,
                fields: fields,
                isForwarded: false,
                bodyLength: bodyLength,
                expectsContinue: false
            )
        } catch {
            throw .invalidRequest(error, call.context(.prepare))
        }
        var request = URLRequest(url: Self.url(of: call.request.url), timeoutInterval: Self.timeoutInterval)
        request.httpMethod = call.request.method.rawValue
        // Tern's stages send and store cookies, so `URLSession` must not.
        request.httpShouldHandleCookies = false
        let isOwnChoice = call.request.options.decodesContent == false && fields.contains(.acceptEncoding)
        self.asksForCodings = !isOwnChoice && fields.contains(.acceptEncoding)
        for (name, value) in Self.lines(fields, of: call, hasBody: hasBody) {
            request.setValue(value, forHTTPHeaderField: name)
        }
        if self.asksForCodings {
            // `URLSession` decodes what it asks for. What the client asks for, it might not decode.
            request.setValue(nil, forHTTPHeaderField: "Accept-Encoding")
        } else if !isOwnChoice {
            // Without the field, `URLSession` asks for codings, and a part of coded content cannot be decoded.
            request.setValue("identity", forHTTPHeaderField: "Accept-Encoding")
        }
        if let announcedLength { request.setValue("\(announcedLength)", forHTTPHeaderField: "Content-Length") }
        self.urlRequest = request
    }

    /// Joins fields "that have the same field name into one field line" with commas (RFC 9110 §5.3), cookies with semicolons (RFC
    /// 6265 §4.2.1), because `URLRequest` has one value for each name.
    private static func lines(
        _ fields: HTTPFields,
        of call: HTTPCall,
        hasBody: Bool
    ) -> [(name: String, value: String)] {
        var fields = fields
        if let priority = call.request.options.adjustablePriority { fields.set(priority.current) }
        // A secret for a proxy. `URLSession` answers the challenges of the system's proxies.
        fields[.proxyAuthorization] = nil
        if hasBody, call.request.method == .post, !fields.contains(.contentType) {
            // Otherwise `URLSession` says that the body is a form. Without the field, "the recipient MAY … assume a
            // media type of "application/octet-stream"" (RFC 9110 §8.3).
            fields[.contentType] = "application/octet-stream"
        }
        var lines: [(name: String, value: String)] = []
        var indices: [HTTPField.Name: Int] = [:]
        for field in fields {
            if let index = indices[field.name] {
                lines[index].value += (field.name == .cookie ? "; " : ", ") + field.value
            } else {
                indices[field.name] = lines.count
                lines.append((field.name.rawName, field.value))
            }
        }
        return lines
    }

    /// Returns a URL without a user, a password and a fragment: with a user, `URLSession` would answer challenges itself.
    static func url(of url: URL) -> URL {
        guard url.user != nil || url.password != nil || url.fragment != nil,
            var components = URLComponents(url: url, resolvingAgainstBaseURL: true)
        else { return url }
        (components.percentEncodedUser, components.percentEncodedPassword) = (nil, nil)
        components.percentEncodedFragment = nil
        return components.url ?? url
    }
}
