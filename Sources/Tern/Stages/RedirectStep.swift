// SPDX-License-Identifier: Apache-2.0
import HTTPTypes
import TernErrors
@_spi(CrossModuleInlining) import TernFields
import TernFoundation
import TernRequests
import TernTransport

/// Decides which request follows a redirect.
struct RedirectStep {
    /// The parts of a request that identify it when the client looks for redirect loops.
    struct Visit: Hashable {
        let method: HTTPRequest.Method
        let url: String

        init(_ request: Request) {
            self.method = request.method
            self.url = String(request.url.absoluteString.prefix { $0 != "#" })
        }
    }

    let request: Request
    /// The target to send, if browsers write it in another way than the URL of the request.
    let target: String?
    let isSameOrigin: Bool
    let isInsecure: Bool

    static func isRedirect(_ response: Response) -> Bool {
        switch response.statusCode {
        case 301, 302, 303, 307, 308: response.noticedFields.contains(.location)
        default: false
        }
    }

    /// Creates the step, with https where `rule` demands it; `nil` without a `Location` or with an empty one, as in browsers.
    init?(
        _ response: Response,
        of request: Request,
        from destination: Destination,
        isHandshake: Bool = false,
        _ rule: StrictTransportRule? = nil
    ) throws(RedirectFailure) {
        let locations = Set(response.fields[fields: .location].map { $0.withUnsafeBytesOfValue { Array($0) } })
            .subtracting([[]])
        guard let location = locations.first else { return nil }
        guard locations.count == 1 else { throw .invalidLocation("the response has more than one Location field") }
        var url = try Self.url(location, from: request.url, isHandshake)
        var target = try Self.destination(url)
        let hasSocket = request.options.unixSocketPath != nil
        var isSameOrigin = target.origin == destination.origin
        // A Unix-domain socket leads to a server that is not the host in the URL, so the rule for that host does not
        // apply. But a redirect to another origin does not go through the socket.
        if let rule, !hasSocket || !isSameOrigin, rule.concerns(target.origin) {
            do throws(RequestFailure) {
                url = try StrictTransportRule.secured(url)
            } catch {
                throw .invalidLocation(error.reasonOfLocation)
            }
            target = try Self.destination(url)
            if !hasSocket { isSameOrigin = target.origin == destination.origin }
        }
        self.target = BrowserTarget.target(target.target, of: location)
        self.isSameOrigin = isSameOrigin
        self.isInsecure = destination.origin.scheme == .https && target.origin.scheme == .http
        var next = request
        next.url = url
        Self.adaptMethod(&next, response.statusCode)
        if self.isSameOrigin {
            next.url = Self.keepingUser(of: request.url, in: url)
        } else {
            Self.dropSecrets(&next)
        }
        self.request = next
    }

    // MARK: Location

    private static func destination(_ url: URL) throws(RedirectFailure) -> Destination {
        do throws(RequestFailure) {
            return try Destination(url)
        } catch {
            throw .invalidLocation(error.reasonOfLocation)
        }
    }

    /// Returns the URL that a `Location` names; the bytes of the field need not be UTF-8.
    private static func url(
        _ location: [UInt8],
        from current: URL,
        _ isHandshake: Bool
    ) throws(RedirectFailure) -> URL {
        let relative: URL
        do throws(RequestFailure) {
            relative = try URLReference(bytes: location).url(relativeTo: current)
        } catch {
            throw .invalidLocation(error.reasonOfLocation)
        }
        guard var parts = URLComponents(url: relative, resolvingAgainstBaseURL: true) else {
            throw .invalidLocation("it is not a valid URL")
        }
        // A WebSocket handshake is an HTTP request, so if it is redirected to `ws` or `wss`, use `http` or `https` (RFC
        // 6455 §3). No other request can be redirected to a WebSocket.
        switch parts.scheme?.lowercased() {
        case "ws" where isHandshake: parts.scheme = "http"
        case "wss" where isHandshake: parts.scheme = "https"
        default: break
        }
        // Browsers percent-encode an apostrophe in the query (WHATWG URL §1.3, "special-query percent-encode set"), so
        // servers that sign or compare the URL expect that.
        if let query = parts.percentEncodedQuery, query.utf8.contains(UInt8(ascii: "'")) {
            parts.percentEncodedQuery = query.replacing("'", with: "%27")
        }
        // A server must not choose the user name and the password for the next request; see `keepingUser`.
        parts.user = nil
        parts.password = nil
        // "If the Location value provided in a 3xx (Redirection) response does not have a fragment component, a user
        // agent MUST process the redirection as if the value inherits the fragment component" (RFC 9110 §10.2.2).
        if parts.percentEncodedFragment == nil {
            parts.percentEncodedFragment =
                URLComponents(url: current, resolvingAgainstBaseURL: true)?.percentEncodedFragment
        }
        guard let url = parts.url?.absoluteURL else { throw .invalidLocation("it is not a valid URL") }
        return url
    }

    /// Returns the URL with the user name and password of the previous request's URL, which apply to the whole origin.
    static func keepingUser(of current: URL, in url: URL) -> URL {
        guard let own = URLComponents(url: current, resolvingAgainstBaseURL: true), own.percentEncodedUser != nil,
            var parts = URLComponents(url: url, resolvingAgainstBaseURL: true)
        else { return url }
        parts.percentEncodedUser = own.percentEncodedUser
        parts.percentEncodedPassword = own.percentEncodedPassword
        return parts.url ?? url
    }

    // MARK: Method and content

    /// Changes the method to `GET` if the status demands or allows that.
    ///
    /// After 301 and 302, POST becomes GET, as in all browsers (RFC 9110 §15.4.2, §15.4.3); after 303, every method except HEAD
    /// does (§15.4.4).
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
        Self.dropContentFields(&request)
    }

    static func dropContentFields(_ request: inout Request) {
        for name in Self.contentFields { request.fields[name] = nil }
    }

    /// The fields that describe the content, dropped with it (RFC 9110 §15.4, list item 2).
    private static let contentFields: [HTTPField.Name] =
        [.contentType, .contentEncoding, .contentLanguage, .contentLocation, .expect, .trailer]
        + ["Digest", "Content-Digest", "Repr-Digest", "Last-Modified"].compactMap { HTTPField.Name($0) }

    // MARK: Secrets

    /// Removes the fields and options that the other origin must not see (RFC 9110 §15.4, list item 3).
    static func dropSecrets(_ request: inout Request) {
        let secrets = request.options.sensitiveFields.union([.authorization, .cookie, .proxyAuthorization])
        request.fields = HTTPFields(
            request.fields.filter { !secrets.contains($0.name) && $0.indexingStrategy != .disallow }
        )
        request.options.credential = nil
        // "If the target URI includes an authority component, then a client MUST send a field value for Host that is
        // identical to that authority component" (RFC 9112 §3.2). The caller's own `Host` was meant for the first
        // origin.
        if let name = HTTPField.Name("Host") { request.fields[name] = nil }
        // The socket leads to the first server, not to the host in the new URL.
        request.options.unixSocketPath = nil
    }
}

extension RequestFailure {
    /// The reason why a URL is not valid, without advice, because the server and not the caller chose it.
    var reasonOfLocation: String {
        switch self {
        case .unsupportedScheme: "its scheme is neither http nor https"
        case .missingHost: "it has no host"
        case .malformedHost: "its host is not valid"
        case .malformedPort: "its port is not a number from 1 to 65535"
        case .malformedTarget: "its path or query contains a character that is not allowed"
        default: "it is not a valid URL"
        }
    }
}
