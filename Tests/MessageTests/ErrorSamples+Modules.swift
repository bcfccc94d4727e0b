// SPDX-License-Identifier: Apache-2.0
import Tern
import TernAuthentication
import TernCompression
import TernConnections
import TernCookies
import TernFoundation
import TernHTTP1
import TernProxies
import TernRequestFiles
import TernStreams
import TernTesting
import TernTransferQueue
import TernURLSession
import TernWebSocketCore

extension ErrorSamples {
    /// Samples of the errors of modules that do not use a client.
    static let cores: [ErrorSample] =
        Self.http + Self.compression + Self.webSockets + Self.authentication + Self.transfers + Self.others
        + Self.urlSession

    private static let transfers: [ErrorSample] = {
        guard let id = TransferID(17) else { return [] }
        let reasons: [UnsuitableTransfer] = [
            .url(.malformedHost), .userInformation, .secretField(name: "Cookie"), .reservedField(name: "Range"),
            .method("GET"), .notAFileURL, .destinationInQueue(id), .tooLong,
        ]
        let failures: [TransferQueueError] = [
            .inUse, .file(.diskFull), .file(.notPermitted), .newerVersion(2), .unknownTransfer(id), .alreadyRunning,
            .full(limit: 10_000),
        ]
        return reasons.map { ErrorSample($0) }
            + (failures + reasons.map { .unsuitable($0) }).map { ErrorSample($0) }
    }()

    private static let http: [ErrorSample] = {
        let responses: [HTTP1Violation] = [
            .malformedStatusLine, .unsupportedVersion, .invalidStatusCode, .bareLineFeed, .bareCarriageReturn,
            .whitespaceBeforeFields, .missingColon, .invalidFieldName, .whitespaceBeforeColon, .foldedFieldLine,
            .controlCharacterInFieldValue, .invalidContentLength, .conflictingContentLengths, .repeatedChunkedCoding,
            .invalidChunkSize, .chunkSizeTooLarge, .invalidChunkExtension, .missingChunkTerminator,
            .headTooLong(limit: 1), .tooManyFields(limit: 1), .chunkLineTooLong(limit: 1),
            .excessiveChunkFraming(limit: 1), .trailersTooLong(limit: 1), .tooManyInformationalResponses(limit: 1),
            .unexpectedUpgrade, .upgradeInHTTP10, .closedBeforeResponse, .truncatedHead,
            .truncatedBody(received: 1, expected: 2), .truncatedChunkedBody,
        ]
        let requests: [RequestHeadError] = [
            .invalidMethod, .invalidTarget, .invalidHost, .repeatedHost, .framingField, .negativeBodyLength,
            .invalidFieldName,
        ]
        return responses.map { ErrorSample($0) } + requests.map { ErrorSample($0) }
            + [ErrorSample(LineViolation.tooLong(limit: 1))]
    }()

    private static let compression: [ErrorSample] = {
        let contents: [ContentViolation] = [
            .corrupt(message: "incorrect data check"), .truncated, .trailingData, .needsDictionary, .tooLong(limit: 1),
            .ratioExceeded(limit: 1), .outOfMemory,
        ]
        let inflations: [InflateViolation] = [.corrupt(message: "invalid block type"), .needsDictionary, .outOfMemory]
        let failures: [CompressionError] = [
            .levelOutOfRange(10), .windowBitsOutOfRange(7), .memoryLevelOutOfRange(0), .outOfMemory,
            .incompatibleLibrary,
        ]
        return contents.map { ErrorSample($0) } + inflations.map { ErrorSample($0) } + failures.map { ErrorSample($0) }
    }()

    private static let webSockets: [ErrorSample] = {
        let messages: [WebSocketViolation] = [
            .reservedBit, .compressedControlFrame, .compressedContinuation, .unknownOpcode(3), .fragmentedControlFrame,
            .controlFrameTooLong, .maskedFrame, .lengthNotMinimal, .lengthTooLarge, .unexpectedContinuation,
            .interruptedMessage, .invalidText, .frameTooLong(limit: 1), .messageTooLong(limit: 1), .corruptCompression,
            .cannotInflate, .truncatedCloseCode, .invalidCloseCode(1006), .invalidCloseReason, .endedWithoutClose,
        ]
        let handshakes: [HandshakeViolation] = [
            .notSwitched(status: 200), .missingUpgrade, .wrongUpgrade, .missingConnection, .wrongConnection,
            .missingAccept, .repeatedAccept, .wrongAccept, .unknownSubprotocol, .repeatedSubprotocol,
            .malformedExtensions, .unknownExtension, .repeatedExtension, .unknownParameter,
            .repeatedParameter("server_max_window_bits"), .badParameter("server_max_window_bits"),
            .ignoredParameter("server_max_window_bits"),
        ]
        let misuses: [HandshakeError] = [
            .invalidSubprotocol("a (b)\n" + String(repeating: "c", count: 1000)), .repeatedSubprotocol("chat"),
            .invalidWindowBits,
        ]
        let closes: [CloseFrameError] = [.reservedCode(.abnormalClosure), .reasonTooLong(byteCount: 200)]
        return messages.map { ErrorSample($0) } + handshakes.map { ErrorSample($0) } + misuses.map { ErrorSample($0) }
            + closes.map { ErrorSample($0) }
    }()

    private static let authentication: [ErrorSample] = {
        let failures: [AuthorizationError] = [
            .wrongKindOfCredential, .invalidUser, .invalidPassword, .invalidToken, .unsupportedScheme,
            .unsupportedAlgorithm, .unsupportedQop, .missingParameter("nonce"), .invalidParameter("realm"),
            .invalidTarget, .invalidCnonce, .missingBodyHash, .nonceExhausted,
            .malformedAuthenticationInfo(.malformed(at: 3)), .wrongServerProof,
        ]
        let challenges: [ChallengeViolation] = [
            .tooLong(limit: 1), .tooManyChallenges(limit: 1), .tooManyParameters(limit: 1), .repeatedParameter(at: 1),
            .parameterWithoutScheme(at: 1), .unterminatedString(at: 1), .invalidString(at: 1), .malformed(at: 1),
        ]
        let pins: [PinError] = [.malformedPin, .noPin, .noBackupPin, .backupInUse, .noHost]
        let netrcs: [NetrcError] = [
            .tooLong(limit: 1), .unknownKeyword(line: 1), .missingValue(line: 1), .valueWithoutEntry(line: 1),
            .unterminatedQuote(line: 1),
        ]
        return failures.map { ErrorSample($0) } + challenges.map { ErrorSample($0) } + pins.map { ErrorSample($0) }
            + netrcs.map { ErrorSample($0) }
    }()

    private static let urlSession: [ErrorSample] = {
        let features: [URLSessionTransportError.Feature] = [
            .upgrade, .requestTrailers, .unixSocket, .requestProxy, .httpVersion, .body(method: "GET"),
        ]
        let errors: [URLSessionTransportError] = [
            .tooManyUnreadBytes(limit: 1), .requestBodyTooLong(limit: 1), .bodyDropped, .sessionFailed(code: -1),
        ]
        return (features.map { .unsupported($0) } + errors).map { ErrorSample($0) }
    }()

    private static let others: [ErrorSample] = {
        let violations: [SOCKSViolation] = [
            .version(72), .version(4), .methodNotOffered(1), .authenticationVersion(2), .reserved(1), .addressType(9),
            .credentialsMissing, .noAcceptableMethod, .credentialsRejected(status: 1), .refused(.generalFailure),
            .refused(.connectionRefused),
        ]
        let misuses: [SOCKSError] = [
            .hostLength(300), .malformedHost, .port(0), .userLength(300), .passwordLength(300),
        ]
        let rules: [ProxyURLError.Rule] = [
            .empty, .malformedScheme, .unsupportedScheme("ftp"), .missingHost, .malformedHost, .malformedPort,
            .malformedUserInfo, .unexpectedPath,
        ]
        let cookies: [CookieViolation] = [
            .empty, .controlCharacter, .tooLong, .separator, .malformedDomain, .malformedPath, .publicSuffix,
            .foreignDomain, .insecure, .overlaysSecure, .crossSite, .insecureCrossSite, .securePrefix, .hostPrefix,
            .disguisedPrefix,
        ]
        return violations.map { ErrorSample($0) } + misuses.map { ErrorSample($0) }
            + rules.map { ErrorSample(ProxyURLError($0, variable: "https_proxy")) }
            + cookies.map { ErrorSample($0) }
            + Self.foreignText + Self.requestFiles
    }()

    /// The error of a program that reads another kind of file as a cookie file.
    private static let foreignText: [ErrorSample] = {
        do throws(CookieFile.ForeignText) {
            _ = try CookieFile.decode(Data("GIF89a\n".utf8), at: Date(timeIntervalSince1970: 0))
            return []
        } catch {
            return [ErrorSample(error)]
        }
    }()

    /// The errors of malformed request files.
    ///
    /// They have no public initializer, so reading such a file creates them.
    private static let requestFiles: [ErrorSample] = {
        let name = String(repeating: "n", count: 60)
        let texts = [
            "GET ftp://example.com", "GET {{\(name)", "@\(name) = 1\n@\(name) = 2\nGET https://h",
            "# @param \(name): Int\nGET https://h", "GET https://h/ a\n\n###\nNONE https://h",
            "# @name 1\nGET https://h", "# @returns Events of\nGET https://h", "# @reconnect\nGET https://h",
            "# @returns Events\n# @until [DONE]\nGET https://h", "# @until data [DONE]\nGET https://h",
            "# @returns Events\n# @reconnect always\nGET https://h",
            "POST https://h\nContent-Type: application/json\n\n{\"a\": {{\(name)}}, {{\(name)}}: 1",
        ]
        return texts.flatMap { text -> [ErrorSample] in
            do throws(RequestFileFailure) {
                _ = try RequestFile(Array(text.utf8))
                return []
            } catch {
                return [ErrorSample(error)] + error.diagnostics.map { ErrorSample($0) }
            }
        }
    }()

    // MARK: Transport, client and doubles

    /// Samples of the errors of stores, connections and test doubles.
    static let clients: [ErrorSample] = {
        let connections: [ConnectionError] = [
            .cancelled, .timedOut(CallDeadline(.connect, limit: .seconds(1), from: SystemClock().now)),
            .notConnected(.refused), .tls(.selfSigned), .closed, .reset, .uncleanClose, .system(errno: 5),
            .concurrentReads, .file(.fileNotFound), .failed(reason: "the tunnel (x) fell in"),
        ]
        let cookies: [CookieFileError] = [.foreign, .tooLong, .file(.notPermitted), .file(.notAFileURL)]
        let caches: [CacheStoreError] = [
            .file(.diskFull), .file(.notPermitted), .tooLarge, .other("The disk (sda) fails.\n"),
        ]
        let servers: [ScriptedServerError] = [.malformedRequest("a field"), .truncatedRequest]
        return connections.map { ErrorSample($0) } + [ErrorSample(FileReadError(.notAFile))]
            + [ErrorSample(TestStallError("The test waited 60.0 seconds for 1 request, but found none."))]
            + cookies.map { ErrorSample($0) } + caches.map { ErrorSample($0) } + servers.map { ErrorSample($0) }
    }()
}
