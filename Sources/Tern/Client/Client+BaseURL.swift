// SPDX-License-Identifier: Apache-2.0
public import TernErrors
public import TernRequests

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

extension Client.Configuration {
    /// The request with its URL resolved against ``baseURL`` (RFC 3986 §5.2), as every call of the client does it.
    ///
    /// ```swift
    /// configuration.baseURL = URL(string: "https://api.example.com/v1")
    /// let request = Request(.get, "users/7")  // https://api.example.com/v1/users/7
    /// ```
    ///
    /// The path of the base counts as a folder, with or without a slash at its end: by the letter of the RFC the `v1`
    /// above would be replaced. A reference that begins with a slash, `/users/7`, leads to the root of the host, and `..`
    /// leads up. The query and the fragment of the base are not used.
    ///
    /// - Parameter request: any request; one with an absolute URL is given back as it is, and so is one with a `problem`,
    ///   which it keeps.
    /// - Returns: the request, with an absolute URL if there is a base.
    /// - Throws: `InvalidRequest.malformedURL` for a reference that names a host of its own, `//example.com/`: what was put
    ///   together of parts must not lead elsewhere unseen.
    public func resolve(_ request: Request) throws(InvalidRequest) -> Request {
        // To set the URL is to forgive what was wrong with it: `delete("users").path("..")` must not lead to the list.
        guard let base = self.baseURL, request.problem == nil, request.url.scheme == nil else { return request }
        let reference = request.url.relativeString
        guard !reference.hasPrefix("//") else { throw .malformedURL }
        guard var parts = URLComponents(url: base, resolvingAgainstBaseURL: true) else { throw .malformedURL }
        parts.percentEncodedQuery = nil
        parts.percentEncodedFragment = nil
        if !parts.percentEncodedPath.hasSuffix("/") { parts.percentEncodedPath += "/" }
        guard let folder = parts.url, let url = URL(string: reference, relativeTo: folder)?.absoluteURL else {
            throw .malformedURL
        }
        var resolved = request
        resolved.url = url
        return resolved
    }
}
