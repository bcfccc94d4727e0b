// SPDX-License-Identifier: Apache-2.0
import HTTPTypes

private enum DigestCheckingOption: RequestOption {
    typealias Value = DigestChecking
}

private enum ContentDigestOption: RequestOption {
    typealias Value = HashAlgorithm
}

extension RequestOptions {
    /// Whether the content of the response is checked against its digest; `nil` uses the client's setting.
    package var digestChecking: DigestChecking? {
        get { self[DigestCheckingOption.self] }
        set { self[DigestCheckingOption.self] = newValue }
    }

    /// The algorithm of the digest that the request's body is sent with; `nil` sends none.
    package var contentDigest: HashAlgorithm? {
        get { self[ContentDigestOption.self] }
        set { self[ContentDigestOption.self] = newValue }
    }
}

extension Request {
    /// Has the content of the response checked against its digest (RFC 9530), in place of the client's setting.
    ///
    /// The client hashes the content as it arrives, before its coding is undone, and compares at the end: in `Content-Digest`,
    /// and in `Repr-Digest` where the response is whole. Either may stand in the head or behind the body, in the trailers, for
    /// which the client asks with `TE: trailers`. A digest that differs ends the call with `ClientError.digestFailed`: `data`
    /// gives nothing then, and `download` puts no file in its place. `bytes` throws at the end of its loop, so wait for that
    /// before you act on what came.
    ///
    /// ```swift
    /// let request = Request(url: url).digestChecking(.required)
    /// ```
    ///
    /// - Parameter checking: ``DigestChecking/required`` wants a digest of each response with a body, of a status of success
    ///   or not.
    /// - Returns: A changed copy.
    public func digestChecking(_ checking: DigestChecking) -> Request {
        self.with { $0.options.digestChecking = checking }
    }

    /// Sends a digest of the body in `Content-Digest` (RFC 9530 §2), by which the server can see that it is undamaged.
    ///
    /// It is made of what is sent, after ``compressed(minimumByteCount:)``, for each attempt. The digest of bytes in memory
    /// stands in the head. That of a file, a form with files or a stream is computed while the body is sent, and stands behind
    /// it: such a body goes out in chunks, without `Content-Length`, which HTTP/1.0 servers and some proxies refuse. A request
    /// that brings `Content-Digest` itself, or that has no body, is left as it is.
    ///
    /// - Parameter algorithm: Defaults to SHA-256, which every server that knows digests knows.
    /// - Returns: A changed copy.
    public func contentDigest(_ algorithm: HashAlgorithm = .sha256) -> Request {
        self.with { $0.options.contentDigest = algorithm }
    }

    /// Tells the server by `TE: trailers` that fields behind the body of its response are welcome (RFC 9110 §10.1.4).
    ///
    /// Some servers, such as those of gRPC, send trailers to no other clients. They are in `Response.trailers` in any case.
    ///
    /// - Returns: A changed copy.
    public func acceptsTrailers() -> Request { self.with { $0.fields[.te] = "trailers" } }
}
