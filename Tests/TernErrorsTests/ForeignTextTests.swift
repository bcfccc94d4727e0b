// SPDX-License-Identifier: Apache-2.0
import TernErrors
import Testing

/// Tests texts of servers, users and libraries in descriptions of errors.
@Suite("Foreign texts")
struct ForeignTextTests {
    private static let limit = ForeignText.maximumLength
    private static let long = String(repeating: "a", count: 60_000)

    @Test func `what is short and plain is shown as it is`() {
        for text in ["", "a", "größer 😀", String(repeating: "é", count: Self.limit)] {
            #expect(ForeignText.shown(text) == text)
        }
    }

    @Test func `what is long is cut, by scalars and not by what they combine to`() {
        let marks = "e" + String(repeating: "\u{301}", count: 60_000)
        for text in [Self.long, marks, String(repeating: "👩‍👩‍👧", count: 1000)] {
            let shown = ForeignText.shown(text)
            #expect(shown.unicodeScalars.count == Self.limit + 1)
            #expect(shown.hasSuffix("…"))
        }
    }

    @Test func `words are kept whole`() {
        let words = Array(repeating: "word", count: 1000).joined(separator: " ")
        let shown = ForeignText.shown(words)
        #expect(shown.hasSuffix(" word…"))
        #expect(shown.unicodeScalars.count <= Self.limit + 1)
        #expect(ForeignText.shown("word \(Self.long)").unicodeScalars.count == Self.limit + 1)
    }

    @Test func `nothing ends a line or changes how it is shown`() {
        let shown = ForeignText.shown("a\nb\u{1B}[31m\u{202E}\u{2028}\u{7F}\u{85}\r")
        #expect(shown == "a?b?[31m?????")
    }

    @Test(arguments: ["ftp", "FILE", "wss", "javascript"])
    func `a well-known scheme is named`(_ scheme: String) {
        #expect(ForeignText.scheme(scheme) == scheme.lowercased())
        #expect(RequestFailure.unsupportedScheme(scheme).description.contains("'\(scheme.lowercased())'"))
    }

    @Test(arguments: ["sekret-token", "hunter2", "", long])
    func `any other is not repeated`(_ scheme: String) {
        #expect(ForeignText.scheme(scheme).isEmpty)
        let description = RequestFailure.unsupportedScheme(scheme).description
        #expect(scheme.isEmpty || !description.contains(scheme))
        #expect(description == RequestFailure.unsupportedScheme("").description)
    }

    /// Errors that contain a text of another party.
    static let errors: [ClientError] = {
        let context = ClientError.Context(phase: .head, origin: "https://\(long):443")
        return [
            .cancelled(context),
            .invalidRequest(.unsupportedScheme(long), context), .invalidRequest(.framingField(name: long), context),
            .invalidRequest(.malformedFieldValue(name: long), context),
            .invalidRequest(.bodyNotAllowed(method: long), context),
            .invalidRequest(.bodyNotEncodable(long), context),
            .invalidRequest(.webSocketNotPossible(long), context),
            .redirectFailed(.invalidLocation(long), context),
            .proxyFailed(.malformedURL(long), context), .proxyFailed(.unsupported(long), context),
            .proxyFailed(.violation(section: "", reason: long), context),
            .authenticationFailed(.credentialNotUsable(long), context),
            .tlsFailed(.unknownRoot(issuer: long), context), .tlsFailed(.invalidCertificate(long), context),
            .tlsFailed(.handshake(long), context), .tlsFailed(.configuration(long), context),
            .webSocketRefused(WebSocketFailure(.handshake(section: "", reason: long)), context),
            .tlsFailed(.wrongHost(names: Array(repeating: long, count: 100)), context),
            .protocolViolation(section: "", reason: long, context),
            .validationFailed(ValidationFailure(.contentType(long)), context),
            .validationFailed(ValidationFailure(.missingField(long)), context),
            .validationFailed(ValidationFailure(.custom(long)), context),
        ]
    }()

    @Test(arguments: errors)
    func `no error is longer than a server wants it to be`(_ error: ClientError) {
        #expect(error.description.unicodeScalars.count < 3 * Self.limit)
        let sentence = error.errorDescription ?? ""
        #expect(sentence.unicodeScalars.count <= Sentence.maximumLength, "\(sentence)")
        var dumped = ""
        dump(error.context, to: &dumped)
        #expect(dumped.unicodeScalars.count < 3 * Self.limit)
    }
}
