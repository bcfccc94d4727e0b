// SPDX-License-Identifier: Apache-2.0
import HTTPTypes

private enum DigestCheckingOption: RequestOption {
    typealias Value = DigestChecking
}

private enum ContentDigestOption: RequestOption {
    typealias Value = HashAlgorithm
}

extension RequestOptions {
    package var digestChecking: DigestChecking? {
        get { self[DigestCheckingOption.self] }
        set { self[DigestCheckingOption.self] = newValue }
    }

    package var contentDigest: HashAlgorithm? {
        get { self[ContentDigestOption.self] }
        set { self[ContentDigestOption.self] = newValue }
    }
}

extension Request {
    /// Sets whether the client checks the content of the response against its digest (RFC 9530), in place of the client's
    /// setting.
    ///
    /// The client hashes the content as received, before decoding the content coding. At the end, it compares the SHA-256 or
    /// SHA-512 hash with `Content-Digest` and, for a whole response with status 200 or 203, also with `Repr-Digest`. The server may
    /// send each field in the head or, except over `URLSession`, in the trailers, for which the client asks with `TE: trailers`.
    /// With ``DigestChecking/required``, the content of a successful response must have a digest, and so must other content that is
    /// read, unless the request offers an upgrade. `URLSession` decodes content itself, so what it has decoded has no digest.
    ///
    /// If a digest differs, the call throws `ClientError.digestFailed`, and `download` does not change the destination. `bytes` may
    /// throw only at the end of its loop, so wait for the end before you act on the bytes.
    public func digestChecking(_ checking: DigestChecking) -> Request {
        self.with { $0.options.digestChecking = checking }
    }

    /// Tells the client to send a digest of the body in `Content-Digest` (RFC 9530 §2), so that the server can detect damage.
    ///
    /// The digest covers the bytes as the client sends them, after ``compressed(minimumByteCount:)``. For bytes in memory, it
    /// stands in the head. For a file, a form with files or a stream, the client adds it as a trailer, and sends the body without
    /// `Content-Length`, over HTTP/1.1 in chunks, which some servers and proxies refuse; over `URLSession`, the call
    /// fails. A request that has its own `Content-Digest`, or no body, is not changed.
    public func contentDigest(_ algorithm: HashAlgorithm = .sha256) -> Request {
        self.with { $0.options.contentDigest = algorithm }
    }

    /// Tells the server with `TE: trailers` that it may send fields after the body of its response (RFC 9110 §10.1.4).
    ///
    /// Some servers send trailers only to clients that ask; see `Response.trailers`.
    public func acceptsTrailers() -> Request { self.with { $0.fields[.te] = "trailers" } }
}
