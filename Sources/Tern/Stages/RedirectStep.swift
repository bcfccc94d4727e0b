// SPDX-License-Identifier: Apache-2.0
import HTTPTypes
import TernErrors
@_spi(CrossModuleInlining) import TernFields
import TernRequests
import TernTransport

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// What one redirect makes of a request: decides, and does nothing.
struct RedirectStep {
    /// A request that was sent, as far as it matters for going in circles.
    struct Visit: Hashable {
        let method: HTTPRequest.Method
        let url: String

        init(_ request: Request) {
            self.method = request.method
            self.url = String(request.url.absoluteString.prefix { $0 != "#" })
        }
    }

    /// The request to send next.
    let request: Request
    /// Whether it goes to the same scheme, host and port.
    let isSameOrigin: Bool
    /// Whether it goes from `https` to `http`.
    let isInsecure: Bool

    /// Whether a response asks to go elsewhere.
    static func isRedirect(_ response: Response) -> Bool {
        switch response.statusCode {
        case 301, 302, 303, 307, 308: response.noticedFields.contains(.location)
        default: false
        }
    }

    /// Judges a redirect by the URLs that are sent, those of https where the rule asks for it.
    ///
    /// - Returns: `nil` if the response names no place: an empty `Location` is none, as in browsers and curl.
    init?(
        _ response: Response,
        of request: Request,
        from destination: Destination,
        _ rule: StrictTransportRule? = nil
    ) throws(RedirectFailure) {
        let locations = Set(response.fields[fields: .location].map { $0.withUnsafeBytesOfValue { Array($0) } })
            .subtracting([[]])
        guard let location = locations.first else { return nil }
        guard locations.count == 1 else { throw .invalidLocation("there are several") }
        var url = try Self.url(location, from: request)
        var target = try Self.destination(url)
        let hasSocket = request.options.unixSocketPath != nil
        var isSameOrigin = target.origin == destination.origin
        // A socket leads to a server that no host speaks for; whoever leaves the origin leaves it.
        if let rule, !hasSocket || !isSameOrigin, rule.concerns(target.origin) {
            do throws(RequestFailure) {
                url = try StrictTransportRule.secured(url)
            } catch {
                throw .invalidLocation(error.description)
            }
            target = try Self.destination(url)
            if !hasSocket { isSameOrigin = target.origin == destination.origin }
        }
        self.isSameOrigin = isSameOrigin
        self.isInsecure = destination.origin.scheme == .https && target.origin.scheme == .http
        var next = request
        next.url = url
        Self.adaptMethod(&next, response.statusCode)
        if self.isSameOrigin {
            next.url = Self.keepingUser(of: request.url, in: url)
        } else {
            Self.dropSecrets(&next)
            // "If the target URI includes an authority component, then a client MUST send a field value for Host that is
            // identical to that authority component" (RFC 9112 §3.2). The caller's own was meant for the first origin.
            if let name = HTTPField.Name("Host") { next.fields[name] = nil }
        }
        self.request = next
    }

    // MARK: Location

    private static func destination(_ url: URL) throws(RedirectFailure) -> Destination {
        do throws(RequestFailure) {
            return try Destination(url)
        } catch {
            throw .invalidLocation(error.description)
        }
    }

    /// The URL that the bytes of a `Location` mean, which may not be UTF-8.
    private static func url(_ location: [UInt8], from request: Request) throws(RedirectFailure) -> URL {
        let current = request.url
        let relative: URL
        do throws(RequestFailure) {
            relative = try URLReference(bytes: location).url(relativeTo: current)
        } catch {
            throw .invalidLocation(error.description)
        }
        guard var parts = URLComponents(url: relative, resolvingAgainstBaseURL: true) else {
            throw .invalidLocation("it is no URL")
        }
        // A WebSocket's handshake is a request by HTTP (RFC 6455 §3); no other request can ask for a WebSocket.
        switch parts.scheme?.lowercased() {
        case "ws" where request.fields.contains(.upgrade): parts.scheme = "http"
        case "wss" where request.fields.contains(.upgrade): parts.scheme = "https"
        default: break
        }
        // A server does not choose the user as which the client signs in elsewhere; see `keepingUser`.
        parts.user = nil
        parts.password = nil
        // "If the Location value provided in a 3xx (Redirection) response does not have a fragment component, a user agent
        // MUST process the redirection as if the value inherits the fragment component" (RFC 9110 §10.2.2).
        if parts.percentEncodedFragment == nil {
            parts.percentEncodedFragment =
                URLComponents(url: current, resolvingAgainstBaseURL: true)?.percentEncodedFragment
        }
        guard let url = parts.url?.absoluteURL else { throw .invalidLocation("it is no URL") }
        return url
    }

    /// The URL with the name and the password that the caller's has: they are for the origin, not for one resource.
    private static func keepingUser(of current: URL, in url: URL) -> URL {
        guard let own = URLComponents(url: current, resolvingAgainstBaseURL: true), own.percentEncodedUser != nil,
            var parts = URLComponents(url: url, resolvingAgainstBaseURL: true)
        else { return url }
        parts.percentEncodedUser = own.percentEncodedUser
        parts.percentEncodedPassword = own.percentEncodedPassword
        return parts.url ?? url
    }

    // MARK: Method and content

    /// Makes a request a `GET` where the status asks for it.
    ///
    /// "For historical reasons, a user agent MAY change the request method from POST to GET" after 301 and 302 (RFC 9110
    /// §15.4.2, §15.4.3), and everybody does. 303 asks for it, whatever the method was (§15.4.4). 307 and 308 forbid it.
    private static func adaptMethod(_ request: inout Request, _ statusCode: Int) {
        let becomesGet =
            switch statusCode {
            case 301, 302: request.method == .post
            case 303: request.method != .get && request.method != .head
            default: false
            }
        guard becomesGet else { return }
        request.method = .get
        request.body = nil
        request.options.expectsContinue = nil
        for name in Self.contentFields { request.fields[name] = nil }
    }

    /// Fields that describe the content (RFC 9110 §15.4, list item 2), which is not sent any more.
    private static let contentFields: [HTTPField.Name] =
        [.contentType, .contentEncoding, .contentLanguage, .contentLocation, .expect, .trailer]
        + ["Digest", "Content-Digest", "Repr-Digest", "Last-Modified"].compactMap { HTTPField.Name($0) }

    // MARK: Secrets

    /// Takes away what the other origin must not see (RFC 9110 §15.4, list item 3).
    private static func dropSecrets(_ request: inout Request) {
        let secrets = request.options.sensitiveFields.union([.authorization, .cookie, .proxyAuthorization])
        request.fields = HTTPFields(
            request.fields.filter { !secrets.contains($0.name) && $0.indexingStrategy != .disallow }
        )
        request.options.credential = nil
        // The socket leads to the server that was asked, whatever the URL says.
        request.options.unixSocketPath = nil
    }
}
