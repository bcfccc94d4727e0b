// SPDX-License-Identifier: Apache-2.0

internal import HTTPTypes

extension HTTPField.Name {
    /// Returns the name in `range` without an allocation, or `nil` if the name is not common in responses.
    static func wellKnown(_ bytes: ByteView, _ range: Range<Int>) -> HTTPField.Name? {
        switch range.count {
        case 3:
            if bytes.matches("age", range) { return .age }
            if bytes.matches("via", range) { return .via }
        case 4:
            if bytes.matches("date", range) { return .date }
            if bytes.matches("etag", range) { return .eTag }
            if bytes.matches("vary", range) { return .vary }
            if bytes.matches("link", range) { return .link }
        case 5:
            if bytes.matches("allow", range) { return .allow }
        case 6:
            if bytes.matches("server", range) { return .server }
            if bytes.matches("pragma", range) { return .pragma }
            if bytes.matches("cf-ray", range) { return .cfRay }
        case 7:
            if bytes.matches("expires", range) { return .expires }
            if bytes.matches("trailer", range) { return .trailer }
            if bytes.matches("upgrade", range) { return .upgrade }
            if bytes.matches("alt-svc", range) { return .altSvc }
            if bytes.matches("x-cache", range) { return .xCache }
        case 8:
            if bytes.matches("location", range) { return .location }
            if bytes.matches("priority", range) { return .priority }
        case 10:
            if bytes.matches("connection", range) { return .connection }
            if bytes.matches("set-cookie", range) { return .setCookie }
            if bytes.matches("tracestate", range) { return .tracestate }
            if bytes.matches("keep-alive", range) { return .keepAlive }
        case 11:
            if bytes.matches("retry-after", range) { return .retryAfter }
            if bytes.matches("traceparent", range) { return .traceparent }
        case 12:
            if bytes.matches("content-type", range) { return .contentType }
            if bytes.matches("proxy-status", range) { return .proxyStatus }
            if bytes.matches("x-powered-by", range) { return .xPoweredBy }
            if bytes.matches("x-request-id", range) { return .xRequestId }
        case 13:
            if bytes.matches("accept-ranges", range) { return .acceptRanges }
            if bytes.matches("cache-control", range) { return .cacheControl }
            if bytes.matches("content-range", range) { return .contentRange }
            if bytes.matches("last-modified", range) { return .lastModified }
            if bytes.matches("server-timing", range) { return .serverTiming }
        case 14:
            if bytes.matches("content-length", range) { return .contentLength }
        case 15:
            if bytes.matches("x-frame-options", range) { return .xFrameOptions }
            if bytes.matches("referrer-policy", range) { return .referrerPolicy }
            if bytes.matches("cf-cache-status", range) { return .cfCacheStatus }
        case 16:
            if bytes.matches("content-encoding", range) { return .contentEncoding }
            if bytes.matches("content-language", range) { return .contentLanguage }
            if bytes.matches("content-location", range) { return .contentLocation }
            if bytes.matches("www-authenticate", range) { return .wwwAuthenticate }
            if bytes.matches("x-xss-protection", range) { return .xXssProtection }
        case 17:
            if bytes.matches("transfer-encoding", range) { return .transferEncoding }
        case 18:
            if bytes.matches("proxy-authenticate", range) { return .proxyAuthenticate }
            if bytes.matches("permissions-policy", range) { return .permissionsPolicy }
        case 19:
            if bytes.matches("authentication-info", range) { return .authenticationInfo }
            if bytes.matches("content-disposition", range) { return .contentDisposition }
            if bytes.matches("timing-allow-origin", range) { return .timingAllowOrigin }
        case 20:
            if bytes.matches("sec-websocket-accept", range) { return .secWebSocketAccept }
        case 22:
            if bytes.matches("access-control-max-age", range) { return .accessControlMaxAge }
            if bytes.matches("sec-websocket-protocol", range) { return .secWebSocketProtocol }
            if bytes.matches("x-content-type-options", range) { return .xContentTypeOptions }
        case 23:
            if bytes.matches("content-security-policy", range) { return .contentSecurityPolicy }
        case 24:
            if bytes.matches("sec-websocket-extensions", range) { return .secWebSocketExtensions }
        case 25:
            if bytes.matches("proxy-authentication-info", range) { return .proxyAuthenticationInfo }
            if bytes.matches("strict-transport-security", range) { return .strictTransportSecurity }
        case 27:
            if bytes.matches("access-control-allow-origin", range) { return .accessControlAllowOrigin }
        case 28:
            if bytes.matches("access-control-allow-headers", range) { return .accessControlAllowHeaders }
            if bytes.matches("access-control-allow-methods", range) { return .accessControlAllowMethods }
            if bytes.matches("cross-origin-resource-policy", range) { return .crossOriginResourcePolicy }
        case 29:
            if bytes.matches("access-control-expose-headers", range) { return .accessControlExposeHeaders }
        case 32:
            if bytes.matches("access-control-allow-credentials", range) { return .accessControlAllowCredentials }
        case 35:
            if bytes.matches("content-security-policy-report-only", range) { return .contentSecurityPolicyReportOnly }
        default: break
        }
        return nil
    }

    // Names that are common in responses but have no constant in HTTPTypes; created once.

    private static let altSvc = HTTPField.Name("Alt-Svc")
    private static let link = HTTPField.Name("Link")
    private static let keepAlive = HTTPField.Name("Keep-Alive")
    private static let pragma = HTTPField.Name("Pragma")
    private static let xPoweredBy = HTTPField.Name("X-Powered-By")
    private static let xFrameOptions = HTTPField.Name("X-Frame-Options")
    private static let xXssProtection = HTTPField.Name("X-XSS-Protection")
    private static let xRequestId = HTTPField.Name("X-Request-ID")
    private static let xCache = HTTPField.Name("X-Cache")
    private static let referrerPolicy = HTTPField.Name("Referrer-Policy")
    private static let permissionsPolicy = HTTPField.Name("Permissions-Policy")
    private static let timingAllowOrigin = HTTPField.Name("Timing-Allow-Origin")
    private static let serverTiming = HTTPField.Name("Server-Timing")
    private static let cfRay = HTTPField.Name("CF-RAY")
    private static let cfCacheStatus = HTTPField.Name("CF-Cache-Status")
}
