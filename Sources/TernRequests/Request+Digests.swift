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
    /// The client hashes the content as received, before decoding the content coding. At the end, it compares the hash with
    /// `Content-Digest` and, for a whole response, also with `Repr-Digest`. The server may send each of these fields in the head
    /// or in the trailers; the client asks for trailers with `TE: trailers`. With ``DigestChecking/required``, each response whose
    /// body the client or the caller reads must have a digest, whatever its status. `URLSession` decodes content itself, so
    /// its responses with a content coding have no digest.
    ///
    /// If a digest differs, the call throws `ClientError.digestFailed`: `data` returns nothing, and `download` leaves no file at
    /// the destination. `bytes` throws at the end of its loop, so wait for the end before you act on the bytes.
    public func digestChecking(_ checking: DigestChecking) -> Request {
        self.with { $0.options.digestChecking = checking }
    }

    /// Tells the client to send a digest of the body in `Content-Digest` (RFC 9530 §2), so that the server can detect damage.
    ///
    /// The digest covers the bytes as the client sends them, after ``compressed(minimumByteCount:)``. For bytes in memory, it
    /// stands in the head. For a file, a form with files or a stream, the client adds it as a trailer, and sends the body without
    /// `Content-Length`, over HTTP/1.1 in chunks, which HTTP/1.0 servers and some proxies refuse; over `URLSession`, the call
    /// fails. A request that has its own `Content-Digest`, or no body, is not changed.
    public func contentDigest(_ algorithm: HashAlgorithm = .sha256) -> Request {
        self.with { $0.options.contentDigest = algorithm }
    }

    /// Tells the server with `TE: trailers` that it may send fields after the body of its response (RFC 9110 §10.1.4).
    ///
    /// Some servers, such as those of gRPC, send trailers only to clients that ask. If a server sends them unasked,
    /// `Response.trailers` contains them, too.
    public func acceptsTrailers() -> Request { self.with { $0.fields[.te] = "trailers" } }
}
