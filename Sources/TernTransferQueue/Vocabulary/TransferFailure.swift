// SPDX-License-Identifier: Apache-2.0
public import TernErrors
public import TernValues

/// The reason that an attempt of a transfer failed.
public struct TransferFailure: Sendable {
    /// The kind of a failure, which decides whether the queue tries again by itself.
    ///
    /// The queue does so without limit after ``network`` and ``storage``. After ``connection``, ``serverUnavailable``,
    /// ``delegate``, and ``file`` if another call or process was using the file, it makes up to
    /// ``TransferQueueConfiguration/maximumAttemptCount`` attempts without progress, but none after a `Retry-After` beyond
    /// ``TransferQueueConfiguration/maximumRetryAfter``. Otherwise, and after the last attempt, the transfer waits for
    /// ``TransferQueue/resume(_:)``.
    @nonexhaustive
    public enum Reason: String, CaseIterable, Hashable, Sendable {
        /// The network or the host was not reached, for example: no route, no name server, or no connection within the time limit.
        case network
        /// The connection failed or broke, also during the TLS handshake, another time limit passed, or an upload arrived damaged.
        case connection
        /// The server answered with a status that means a temporary problem, such as 429 or 503, or twice lost an upload.
        case serverUnavailable = "server-unavailable"
        /// The server refused the request or the file, such as with 403 or 404, or its response broke another validation rule.
        case refused
        /// As far as the queue knows, the server may have processed the upload; ``TransferQueue/resume(_:)`` sends it again.
        case possiblyProcessed = "possibly-processed"
        /// The server broke or does not know the protocol, a redirect or an authentication failed, or a proxy failed permanently.
        ///
        /// After a refusal by a SOCKS proxy, or a temporary status of an HTTP proxy, such as 503, the reason is ``connection``.
        case `protocol`
        /// TLS failed, for example because the certificate is not trusted.
        case tls
        /// The bytes did not have the expected hash, or could not be checked; a file at the destination of a download is as it was.
        case digest
        /// The file, or the client's record of the transfer, could not be used, or the file has changed.
        case file
        /// The client cannot send the request that the ``TransferDescription`` describes, or that the queue's delegate returned.
        case invalidRequest = "invalid-request"
        /// The queue's delegate, an interceptor or other code failed, such as a `BearerAuthentication` or a custom transport.
        case delegate
        /// The queue could not write its own files, for example because the disk is full.
        case storage
        /// Another reason.
        case other
    }

    /// The kind of the failure.
    public let reason: Reason
    /// A description of the failure for a log, without the URL's query and without bodies.
    public let message: String
    /// The error; `nil` if the attempt failed in another process, or without a `ClientError`, such as by the status of an upload.
    public let error: ClientError?

    init(_ reason: Reason, _ message: String, _ error: ClientError? = nil) {
        self.reason = reason
        self.message = message
        self.error = error
    }
}

extension TransferFailure: CustomStringConvertible, Described {
    package var wording: String { self.message }
}
