// SPDX-License-Identifier: Apache-2.0
import TernErrors
import Testing

/// Every reason is a few words, on one line, and different from its siblings.
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
        let reasons: [InvalidRequest] = [
            .malformedURL, .unsupportedScheme("ftp"), .missingHost, .malformedHost, .malformedPort, .malformedMethod,
            .malformedTarget, .dotSegment, .malformedFieldName, .malformedFieldValue(name: "X"),
            .framingField(name: "X"), .bodyNotAllowed(method: "GET"), .ambiguousBody, .bodyNotEncodable("nan"),
            .boundaryOccursInPart,
        ]
        self.check(reasons)
        #expect(InvalidRequest.unsupportedScheme("ftp").description.contains("ftp"))
        #expect(InvalidRequest.bodyNotAllowed(method: "GET").description.contains("GET"))
    }

    @Test func `why no connection could be made, or was lost`() {
        let failures: [ConnectionFailure] = [
            .resolution(isTemporary: true), .resolution(isTemporary: false), .refused, .reset, .unreachable,
            .socketNotFound, .system(errno: 24), .interrupted,
        ]
        self.check(failures)
        let losses: [ConnectionLoss] = [.closed, .reset, .system(errno: 5), .shutDown]
        self.check(losses)
        #expect(ConnectionFailure.system(errno: 24).description.contains("24"))
    }

    @Test func `why TLS failed`() {
        let reasons: [TLSFailure] = [
            .certificateExpired, .certificateNotYetValid, .wrongHost, .unknownRoot(issuer: "x"), .selfSigned,
            .wrongUsage,
            .constraintViolated, .pinMismatch, .rejected, .invalidCertificate("x"),
        ]
        let others: [TLSFailure] = [
            .clientCertificateRequired, .clientCertificateRefused, .versionNotSupported, .handshake("x"), .closed,
            .configuration("x"),
        ]
        self.check(reasons + others)
        #expect(reasons.allSatisfy { $0.isTrust })
        #expect(!others.contains { $0.isTrust })
        #expect(TLSFailure.unknownRoot(issuer: "CN=x").description.contains("CN=x"))
    }

    @Test func `why a body could not be sent, stored or read`() {
        let uploads: [UploadFailure] = [
            .fileNotFound, .notAFile, .unreadable(errno: 13), .fileChanged, .lengthMismatch(announced: 7),
            .streamFailed(type: "Broken"), .notReplayable,
        ]
        self.check(uploads)
        let files: [FileFailure] = [
            .folderNotFound, .alreadyExists, .isDirectory, .notPermitted, .diskFull, .notAFileURL, .system(errno: 5),
        ]
        self.check(files)
        self.check([BodyMisuse.concurrentReads])
    }

    @Test func `which limit passed`() {
        let timeouts: [Timeout] = [.connect, .connection, .firstByte, .idle, .call]
        self.check(timeouts)
    }
}
