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
    /// The setting replaces the client's setting.
    ///
    /// The client hashes the content as received, before decoding the content coding. At the end, it compares the hash
    /// with `Content-Digest` and, for a whole response, also with `Repr-Digest`. The server may send each of these
    /// fields in the head or in the trailers; the client asks for trailers with `TE: trailers`.
    ///
    /// If a digest differs, the call throws `ClientError.digestFailed`: `data` returns nothing, and `download` leaves
    /// no file at the destination. `bytes` throws at the end of its loop, so wait for the end before you act on the
    /// bytes.
    ///
    /// ```swift
    /// let request = Request(url: url).digestChecking(.required)
    /// ```
    ///
    /// - Parameter checking: The setting. With ``DigestChecking/required``, each response with a body must have a
    ///   digest, whatever its status.
    /// - Returns: A changed copy.
    public func digestChecking(_ checking: DigestChecking) -> Request {
        self.with { $0.options.digestChecking = checking }
    }

    /// Tells the client to send a digest of the body in `Content-Digest` (RFC 9530 §2), so that the server can detect
    /// damage.
    ///
    /// The digest covers the bytes as the client sends them, after ``compressed(minimumByteCount:)``. The client
    /// computes the digest each time that the body is sent. The digest of bytes in memory stands in the head. For a
    /// file, a form with files or a stream, the client computes the digest while it sends the body, and adds the digest
    /// as a trailer. The client sends such a body in chunks, without `Content-Length`; HTTP/1.0 servers and some
    /// proxies refuse chunks. A request that has its own `Content-Digest`, or no body, is not changed.
    ///
    /// - Parameter algorithm: The hash algorithm. Defaults to SHA-256, which every server with support for digests
    ///   knows.
    /// - Returns: A changed copy.
    public func contentDigest(_ algorithm: HashAlgorithm = .sha256) -> Request {
        self.with { $0.options.contentDigest = algorithm }
    }

    /// Tells the server with `TE: trailers` that it may send fields after the body of its response (RFC 9110 §10.1.4).
    ///
    /// Some servers, such as those of gRPC, send trailers only to clients that ask. `Response.trailers` contains the
    /// trailers of a server even if the client did not ask.
    ///
    /// - Returns: A changed copy.
    public func acceptsTrailers() -> Request { self.with { $0.fields[.te] = "trailers" } }
}
