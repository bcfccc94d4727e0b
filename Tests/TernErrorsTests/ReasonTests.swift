// SPDX-License-Identifier: Apache-2.0
import TernErrors
import Testing

/// Tests that every reason is a few words on one line, and different from the other reasons of its type.
@Suite("Reasons")
struct ReasonTests {
    private func check(_ reasons: [any CustomStringConvertible], sourceLocation: SourceLocation = #_sourceLocation) {
        let texts = reasons.map(\.description)
        #expect(Set(texts).count == texts.count, sourceLocation: sourceLocation)
        for text in texts {
            #expect(!text.isEmpty && !text.contains("\n") && text.utf8.count < 100, sourceLocation: sourceLocation)
            #expect(!text.hasSuffix("."), sourceLocation: sourceLocation)
        }
    }

    @Test func `why a request is invalid`() {
        let reasons: [RequestFailure] = [
            .malformedURL, .emptyURL, .relativeURL, .missingScheme, .unsupportedScheme("ftp"), .missingHost,
            .malformedHost, .repeatedHost, .malformedPort, .malformedMethod,
            .malformedTarget, .dotSegment, .emptyComponent, .malformedFieldName, .malformedFieldValue(name: "X"),
            .framingField(name: "X"), .bodyNotAllowed(method: "GET"), .ambiguousBody, .bodyNotEncodable("nan"),
            .boundaryOccursInPart, .notResumable("it has a body"),
        ]
        self.check(reasons)
        #expect(RequestFailure.unsupportedScheme("ftp").description.contains("ftp"))
        #expect(RequestFailure.bodyNotAllowed(method: "GET").description.contains("GET"))
    }

    @Test func `why no connection could be made, or was lost`() {
        let failures: [ConnectionFailure] = [
            .resolution(isTemporary: true), .resolution(isTemporary: false), .refused, .reset, .unreachable,
            .noNetwork,
            .socketNotFound, .tooManyOpenFiles, .system(errno: 13), .interrupted,
        ]
        self.check(failures)
        let losses: [ConnectionFailure] = [.closed, .reset, .system(errno: 5), .shutDown]
        self.check(losses)
        #expect(ConnectionFailure.system(errno: 13).description.contains("13"))
    }

    @Test func `why TLS failed`() {
        let reasons: [TLSFailure] = [
            .certificateExpired(), .certificateNotYetValid(), .wrongHost(), .unknownRoot(issuer: "x"), .selfSigned,
            .wrongUsage,
            .constraintViolated, .pinMismatch, .rejected, .invalidCertificate("x"),
        ]
        let others: [TLSFailure] = [
            .clientCertificateRequired, .clientCertificateRefused, .versionNotSupported, .unsupportedProtocol("h2"),
            .handshake("x"), .closed, .configuration("x"), .plainHTTP, .notTLS, .wrongPassphrase, .noCommonAlgorithm,
            .noCommonProtocol,
        ]
        self.check(reasons + others)
        #expect(reasons.allSatisfy { $0.isTrust })
        #expect(!others.contains { $0.isTrust })
        #expect(TLSFailure.unknownRoot(issuer: "CN=x").description.contains("CN=x"))
        #expect(TLSFailure.unsupportedProtocol("h2").description.contains("h2"))
    }

    @Test func `a failure on the way to a proxy does not blame the server`() {
        let context = ClientError.Context(phase: .proxy)
        let errors: [ClientError] = [
            .connectionFailed(.refused, context), .connectionFailed(.closed, context),
            .connectionLost(.closed, context), .connectionLost(.reset, context),
            .connectionLost(.streamReset(code: 2), context),
            .tlsFailed(.certificateExpired(), context), .tlsFailed(.notTLS, context), .tlsFailed(.closed, context),
            .tlsFailed(.wrongHost(names: ["a"]), context), .tlsFailed(.noCommonAlgorithm, context),
        ]
        for error in errors { #expect(!error.description.contains("server"), "\(error)") }
    }

    @Test func `the system's errors have its words and their number`() {
        let text = ConnectionFailure.system(errno: 13).description
        #expect(text.count > "system error 13".count)
        #expect(FileFailure.system(errno: 13).description == text)
        #expect(UploadFailure.unreadable(errno: 13).description.contains(text))
        #expect(ConnectionFailure.system(errno: 99_999).description.contains("99999"))
    }

    @Test func `why a proxy did not connect`() {
        let replies = (1...9).compactMap { SOCKSReply(code: $0) }
        self.check(replies)
        let reasons: [ProxyFailure] = [
            .malformedURL("x"), .refused(status: 403), .authenticationRequired, .unsupported("x"),
            .violation(section: "RFC 1928 §3", reason: "x"),
        ]
        self.check(reasons + replies.map { .socks($0) })
        #expect(ProxyFailure.refused(status: 403).description.contains("403"))
    }

    @Test func `a SOCKS reply has a code`() {
        #expect(SOCKSReply(code: 0) == nil)
        for code in UInt8(1)...255 { #expect(SOCKSReply(code: code)?.code == code) }
        #expect(SOCKSReply(code: 5) == .connectionRefused)
        #expect(SOCKSReply(code: 9) == .unassigned(9))
    }

    @Test func `why a body could not be sent, stored or read`() {
        let uploads: [UploadFailure] = [
            .fileNotFound, .notAFile, .unreadable(errno: 13), .fileChanged, .lengthMismatch(announced: 7),
            .streamFailed(type: "Broken"), .notReplayable, .notNeeded, .finished,
            .completionUnknown, .uploadLost, .tooLarge(limit: 7), .tooLarge(limit: nil), .tooSmall(limit: 7),
            .offsetsDiffer, .damaged, .notResumable,
        ]
        self.check(uploads)
        let files: [FileFailure] = [
            .folderNotFound, .alreadyExists, .isDirectory, .notPermitted, .diskFull, .notAFileURL, .system(errno: 5),
        ]
        self.check(files)
        self.check([BodyFailure.concurrentReads, .discarded, .readInParts])
    }

    @Test func `why a response is not accepted, or not decoded`() {
        let rules: [ValidationFailure.Rule] = [
            .status(404), .contentType("text/html"), .contentType(nil), .length(7), .missingField("ETag"),
            .custom("fresh"),
        ]
        self.check(rules)
        let reasons: [DecodingFailure.Reason] = [
            .emptyBody, .keyNotFound, .valueNotFound, .typeMismatch, .corrupted, .other(type: "Broken"),
        ]
        self.check(reasons)
    }

    @Test func `which limit passed`() {
        let timeouts: [Timeout] = [.connect, .connection, .firstByte, .idle, .call]
        self.check(timeouts)
    }
}
