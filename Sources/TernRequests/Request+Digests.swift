// SPDX-License-Identifier: Apache-2.0
import HTTPTypes

private enum DigestCheckingOption: RequestOption {
    typealias Value = DigestChecking
}

private enum ContentDigestOption: RequestOption {
    typealias Value = HashAlgorithm
}

extension RequestOptions {
    /// Whether the client checks the content of the response against its digest; `nil` uses the client's setting.
    package var digestChecking: DigestChecking? {
        get { self[DigestCheckingOption.self] }
        set { self[DigestCheckingOption.self] = newValue }
    }

    /// The algorithm for the digest of the request's body; `nil` sends no digest.
    package var contentDigest: HashAlgorithm? {
        get { self[ContentDigestOption.self] }
        set { self[ContentDigestOption.self] = newValue }
    }
}

extension Request {
    /// Sets whether the client checks the content of the response against its digest (RFC 9530).
    ///
    /// Overrides the client's setting.
    ///
    /// The client hashes the content as it arrives, before it decodes the content coding, and compares the hash at the
    /// end. It uses `Content-Digest`, and `Repr-Digest` if the response is whole. Each may stand in the head or in the
    /// trailers, for which the client asks with `TE: trailers`.
    ///
    /// If a digest differs, the call throws `ClientError.digestFailed`: `data` returns nothing, and `download` leaves
    /// no file at the destination. `bytes` throws at the end of its loop, so wait for the end before you act on the
    /// bytes.
    ///
    /// ```swift
    /// let request = Request(url: url).digestChecking(.required)
    /// ```
    ///
    /// - Parameter checking: ``DigestChecking/required`` requires a digest in each response with a body, whether its
    ///   status is a success or not.
    /// - Returns: A changed copy.
    public func digestChecking(_ checking: DigestChecking) -> Request {
        self.with { $0.options.digestChecking = checking }
    }

    /// Sends a digest of the body in `Content-Digest` (RFC 9530 §2), so that the server can detect damage.
    ///
    /// Each attempt computes the digest of the bytes that it sends, after ``compressed(minimumByteCount:)``. The digest
    /// of bytes in memory stands in the head. For a file, a form with files or a stream, the digest is computed while
    /// the body is sent, and follows it as a trailer. Such a body is sent in chunks, without `Content-Length`, which
    /// HTTP/1.0 servers and some proxies refuse. A request that has its own `Content-Digest`, or no body, is not
    /// changed.
    ///
    /// - Parameter algorithm: The hash algorithm. Defaults to SHA-256, which every server with support for digests
    ///   knows.
    /// - Returns: A changed copy.
    public func contentDigest(_ algorithm: HashAlgorithm = .sha256) -> Request {
        self.with { $0.options.contentDigest = algorithm }
    }

    /// Tells the server with `TE: trailers` that it may send fields after the body of its response (RFC 9110 §10.1.4).
    ///
    /// Some servers, such as those of gRPC, send trailers only to clients that ask. If a server sends trailers,
    /// `Response.trailers` contains them in any case.
    ///
    /// - Returns: A changed copy.
    public func acceptsTrailers() -> Request { self.with { $0.fields[.te] = "trailers" } }
}
