// SPDX-License-Identifier: Apache-2.0
import HTTPTypes
import TernErrors
import TernFoundation

/// Samples of every case of the public error types, and of the public types for the reason of an error.
enum ErrorSamples {
    /// Every sample.
    static let all = Self.cores + Self.clients + Self.reasons(of: Self.context, text: "some text")

    /// Samples of `ClientError` in which another party chose the host and all texts.
    static let hostile = Self.reasons(
        of: ClientError.Context(
            phase: .head,
            origin: "https://\(String(repeating: "a", count: 60)).\(String(repeating: "b", count: 60)).example:8443",
            response: HTTPResponse(status: .forbidden)
        ),
        text: "Ignore all. (See below\u{202E}) \"call\"\r\n0x0 " + String(repeating: "word ", count: 100)
    )

    private static let context = ClientError.Context(
        phase: .head,
        origin: "https://api.example.com:443",
        attempt: 2,
        elapsed: .seconds(3),
        response: HTTPResponse(status: .forbidden)
    )

    /// An error of an interceptor without a description.
    enum InterceptorFault: Error { case silent }

    private static func reasons(of context: ClientError.Context, text: String) -> [ErrorSample] {
        Self.ofConnections(context, text) + Self.ofRequests(context, text) + Self.ofResponses(context, text)
            + Self.ofClient(context, text)
    }

    // MARK: Connections

    private static func ofConnections(_ context: ClientError.Context, _ text: String) -> [ErrorSample] {
        let connections: [ConnectionFailure] = [
            .resolution(isTemporary: true), .resolution(isTemporary: false), .refused, .reset, .unreachable, .noNetwork,
            .socketNotFound, .tooManyOpenFiles, .system(errno: 13), .interrupted, .closed, .shutDown,
        ]
        let losses: [ConnectionFailure] = [.closed, .reset, .system(errno: 5), .streamReset(code: 2), .shutDown]
        let date = Date(timeIntervalSince1970: 1_767_225_600)
        let failures: [TLSFailure] = [
            .certificateExpired(notAfter: date), .certificateExpired(), .certificateNotYetValid(notBefore: date),
            .certificateNotYetValid(), .wrongHost(names: []), .wrongHost(names: [text]),
            .wrongHost(names: [text, text]), .wrongHost(names: [text, text, text]),
            .wrongHost(names: Array(repeating: text, count: 100)), .unknownRoot(issuer: text), .selfSigned, .wrongUsage,
            .constraintViolated, .pinMismatch, .rejected, .clientCertificateRequired, .clientCertificateRefused,
            .versionNotSupported, .unsupportedProtocol(text), .noCommonProtocol, .noCommonAlgorithm,
            .invalidCertificate(text), .plainHTTP,
            .notTLS, .handshake("WRONG_VERSION_NUMBER \(text)"), .closed, .wrongPassphrase, .configuration(text),
        ]
        let replies = (1...9).compactMap { SOCKSReply(code: $0) }
        let proxies: [ProxyFailure] =
            [
                .malformedURL(text), .refused(status: 403), .authenticationRequired, .unsupported(text),
                .violation(section: "RFC 1928 §6", reason: text),
            ] + replies.map { .socks($0) }
        let timeouts: [Timeout] = [.connect, .connection, .firstByte, .idle, .call, .pong, .close]
        return connections.map { ErrorSample($0, in: .connectionFailed($0, context)) }
            + losses.map { ErrorSample($0, in: .connectionLost($0, context)) }
            + failures.flatMap { [ErrorSample($0), ErrorSample($0, in: .tlsFailed($0, context))] }
            + replies.map { ErrorSample($0, in: .proxyFailed(.socks($0), context)) }
            + proxies.map { ErrorSample($0, in: .proxyFailed($0, context)) }
            + timeouts.map { ErrorSample($0, in: .timedOut($0, limit: .milliseconds(2500), context)) }
    }

    // MARK: Requests

    private static func ofRequests(_ context: ClientError.Context, _ text: String) -> [ErrorSample] {
        let requests: [RequestFailure] = [
            .malformedURL, .emptyURL, .relativeURL, .missingScheme, .unsupportedScheme("ftp"), .unsupportedScheme(text),
            .missingHost, .malformedHost, .repeatedHost, .malformedPort, .malformedMethod, .malformedTarget,
            .dotSegment, .emptyComponent, .malformedFieldName, .malformedFieldValue(name: text),
            .framingField(name: text),
            .fieldsTooLong(maximumByteCount: 1),
            .bodyNotAllowed(method: text), .ambiguousBody, .bodyNotEncodable(text), .webSocketNotPossible(text),
            .boundaryOccursInPart, .notResumable(text),
        ]
        let uploads: [UploadFailure] = [
            .fileNotFound, .notAFile, .unreadable(errno: 13), .fileChanged, .lengthMismatch(announced: 7),
            .streamFailed(type: "Broken"), .notReplayable, .notNeeded, .finished,
            .completionUnknown, .uploadLost, .tooLarge(limit: 7), .tooLarge(limit: nil), .tooSmall(limit: 7),
            .offsetsDiffer, .damaged, .notResumable,
        ]
        let files: [FileFailure] = [
            .folderNotFound, .alreadyExists, .isDirectory, .notAFile, .notPermitted, .inUse, .diskFull,
            .notAFileURL, .system(errno: 5),
        ]
        let misuses: [BodyFailure] = [.concurrentReads, .discarded, .readInParts]
        return requests.flatMap { [ErrorSample($0), ErrorSample($0, in: .invalidRequest($0, context))] }
            + uploads.map { ErrorSample($0, in: .uploadFailed($0, context)) }
            + files.flatMap { [ErrorSample($0), ErrorSample($0, in: .fileFailed($0, context))] }
            + misuses.map { ErrorSample($0, in: .bodyMisused($0, context)) }
    }

    // MARK: Responses

    private static func ofResponses(_ context: ClientError.Context, _ text: String) -> [ErrorSample] {
        let authentications: [AuthenticationFailure] = [
            .cancelled, .serverNotAuthentic, .credentialNotUsable(text),
        ]
        let redirects: [RedirectFailure] = [.tooMany(limit: 20), .loop, .insecure, .invalidLocation(text)]
        let statuses = [200, 400, 401, 403, 404, 418, 429, 500, 501, 503]
        let refusals: [WebSocketFailure.Reason] =
            statuses.map { .status($0) } + [.handshake(section: "RFC 6455 §4.1", reason: text), .notSupported]
        let rules: [ValidationFailure.Rule] =
            statuses.map { .status($0) } + [
                .contentType(text), .contentType(nil), .length(1), .missingField(text), .custom(text),
            ]
        let reasons: [DecodingFailure.Reason] = [
            .emptyBody, .keyNotFound, .valueNotFound, .typeMismatch, .corrupted, .other(type: "Broken"),
        ]
        let digests: [DigestFailure] = [
            .mismatch(algorithm: "sha-256", field: "Content-Digest"), .unexpected(algorithm: "md5"), .missing,
            .malformed(field: "Repr-Digest"),
        ]
        let failures = reasons.flatMap { reason in
            ["", text].flatMap { path in
                [(nil, nil), ("Int", "a string"), (nil, "a Boolean"), (text, "an object"), (text, nil)].map { types in
                    var failure = DecodingFailure(reason, path: path, type: path.isEmpty ? "Album" : text)
                    (failure.expectedType, failure.foundType) = types
                    return failure
                }
            }
        }
        return authentications.flatMap { [ErrorSample($0), ErrorSample($0, in: .authenticationFailed($0, context))] }
            + redirects.flatMap { [ErrorSample($0), ErrorSample($0, in: .redirectFailed($0, context))] }
            + refusals.map { ErrorSample($0, in: .webSocketRefused(WebSocketFailure($0), context)) }
            + rules.map { ErrorSample($0, in: .validationFailed(ValidationFailure($0), context)) }
            + digests.flatMap { [ErrorSample($0), ErrorSample($0, in: .digestFailed($0, context))] }
            + failures.map { ErrorSample($0.reason, in: .decodingFailed($0, context)) }
    }

    // MARK: The client's own

    private static func ofClient(_ context: ClientError.Context, _ text: String) -> [ErrorSample] {
        let errors: [ClientError] = [
            .cancelled(context), .invalidRequest(.emptyURL, context), .timedOut(.call, limit: .seconds(1), context),
            .connectionFailed(.refused, context), .tlsFailed(.selfSigned, context),
            .proxyFailed(.refused(status: 403), context), .authenticationFailed(.cancelled, context),
            .redirectFailed(.loop, context), .connectionLost(.reset, context),
            .truncated(received: 1, expected: 2, context), .truncated(received: 1, expected: nil, context),
            .protocolViolation(section: "RFC 9112 §4", reason: text, context),
            .bodyTooLarge(limit: .max, context), .lineTooLong(limit: .max, context), .uploadFailed(.notAFile, context),
            .valueTooLong(limit: .max, at: StreamPosition(index: .max, byteOffset: .max, event: text), context),
            .fileFailed(.diskFull, context), .bodyMisused(.concurrentReads, context),
            .webSocketRefused(WebSocketFailure(.status(403)), context), .webSocketClosed(code: 1001, context),
            .webSocketClosed(code: nil, context), .messageTooLarge(limit: .max, context), .notCached(context),
            .validationFailed(ValidationFailure(.status(403)), context),
            .decodingFailed(DecodingFailure(.corrupted, type: "Album"), context),
            .digestFailed(.missing, context), .interceptorFailed(InterceptorFault.silent, context),
        ]
        return errors.map { ErrorSample($0) }
    }
}
