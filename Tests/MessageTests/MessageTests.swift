// SPDX-License-Identifier: Apache-2.0
import Foundation
import TernErrors
import Testing

/// Tests the two texts of all public errors: one for people, one for logs.
@Suite("Messages")
struct MessageTests {
    /// Types in `TernErrors` for reasons whose own text is not part of any message.
    private static let silent: Set = [
        "TernErrors.ClientError.Context", "TernErrors.ClientError.Phase", "TernErrors.ClientError.Delivery",
    ]

    @Test func `every public error type and every case has a sample`() throws {
        let scan = try SourceScan.shared.get()
        let samples = Dictionary(grouping: ErrorSamples.all, by: \.type)
        let wanted = scan.declarations.filter { declaration in
            let isReason = declaration.name.hasPrefix("TernErrors.") && !declaration.cases.isEmpty
            return (declaration.isError || isReason) && !Self.silent.contains(declaration.name)
        }
        #expect(wanted.count > 30)
        for declaration in wanted {
            let given = samples[declaration.name] ?? []
            #expect(!given.isEmpty, "\(declaration.name) has no sample")
            let missing = declaration.cases.subtracting(given.compactMap(\.caseName))
            #expect(missing.isEmpty, "\(declaration.name) lacks \(missing.sorted())")
        }
    }

    @Test func `every public error has a sentence of its own`() throws {
        for sample in ErrorSamples.all where !(sample.error is any LocalizedError) {
            Issue.record("\(sample.testDescription) is no LocalizedError")
        }
        let errors = ErrorSamples.all.compactMap { $0.error as? any LocalizedError }
        #expect(errors.allSatisfy { $0.errorDescription == $0.localizedDescription })
    }

    @Test func `an app may show what an error says`() throws {
        let types = try SourceScan.shared.get().declarations.map {
            $0.name.split(separator: ".").last.map(String.init) ?? ""
        }
        for sample in ErrorSamples.all + ErrorSamples.hostile {
            for fault in Self.faults(of: sample.error.localizedDescription, types: types) {
                let text = sample.error.localizedDescription
                Issue.record("\(sample.testDescription) \(fault): \(text)")
            }
        }
    }

    @Test func `a log line says everything once`() {
        for sample in ErrorSamples.all {
            let text = "\(sample.error)"
            // A request file may have several errors, and its failure lists one on each line.
            #expect(!text.contains("\n") || sample.type == "TernRequestFiles.RequestFileFailure", "\(text)")
            guard let error = sample.error as? ClientError else { continue }
            #expect(text.ranges(of: "403").count == 1, "\(text)")
            for part in ["https://api.example.com:443", "phase head", "attempt 2", "3000 ms"] {
                #expect(text.ranges(of: part).count == 1, "\(text)")
            }
            #expect(text.hasPrefix(error.summary), "\(text)")
        }
    }

    @Test func `a sentence says which server it is about, or none`() {
        let bare = ClientError.Context(phase: .head, origin: "unix:/run (1).sock")
        #expect(ClientError.connectionFailed(.refused, bare).localizedDescription.contains("the server"))
        let named = ClientError.Context(phase: .head, origin: "https://example.com:8443")
        #expect(ClientError.connectionFailed(.refused, named).localizedDescription.contains("example.com:8443"))
        let plain = ClientError.Context(phase: .head, origin: "http://example.com:80")
        let text = ClientError.connectionFailed(.refused, plain).localizedDescription
        #expect(text.contains("example.com") && !text.contains(":80"))
    }

    @Test func `a failure to connect to a proxy names the proxy, not the server`() {
        let context = ClientError.Context(phase: .proxy, origin: "https://example.com:443")
        let errors: [ClientError] = [
            .connectionFailed(.refused, context), .connectionLost(.closed, context), .tlsFailed(.selfSigned, context),
        ]
        for error in errors {
            let text = error.localizedDescription
            #expect(text.contains("the proxy") && !text.contains("example.com"), "\(text)")
            #expect(error.summary.contains(" to the proxy"), "\(error)")
        }
    }

    @Test func `what an interceptor throws speaks for itself`() {
        struct Maintenance: LocalizedError {
            var errorDescription: String? { "We are back at noon." }
        }
        let error = ClientError.interceptorFailed(Maintenance(), ClientError.Context(phase: .prepare))
        #expect(error.localizedDescription == Maintenance().localizedDescription)
    }

    @Test func `of the errors of a token provider, only a ClientError speaks`() {
        struct Leak: LocalizedError {
            var errorDescription: String? { "The token s3cret is old." }
        }
        let context = ClientError.Context(phase: .authenticate, origin: "https://api.example.com:443")
        let leak = ClientError.interceptorFailed(Leak(), context)
        #expect(leak.localizedDescription == "The app could not sign in to api.example.com.")
        #expect("\(leak)".hasPrefix("the token provider or the request signer ended the call with Leak ("))
        let inner = ClientError.connectionFailed(
            .refused,
            ClientError.Context(phase: .connect, origin: "https://sign.in:443")
        )
        let outer = ClientError.interceptorFailed(inner, context)
        #expect(outer.localizedDescription == inner.localizedDescription)
        #expect("\(outer)".contains("\(inner)"))
    }

    @Test func `a sentence gives what is needed to act`() {
        let context = ClientError.Context(phase: .tls, origin: "https://example.com:443")
        let date = Date(timeIntervalSince1970: 1_767_225_600)
        func text(_ failure: TLSFailure) -> String { ClientError.tlsFailed(failure, context).localizedDescription }
        #expect(text(.certificateExpired(notAfter: date)).contains("2026-01-01"))
        #expect(text(.certificateNotYetValid(notBefore: date)).contains("2026-01-01"))
        #expect(text(.wrongHost(names: ["a.test", "b.test", "c.test"])).contains("\"a.test\", \"b.test\" and 1 other"))
        #expect(text(.unknownRoot(issuer: "CN=x")).contains("\"CN=x\""))
        var failure = DecodingFailure(.typeMismatch, path: "photos[3].url", type: "Album")
        (failure.expectedType, failure.foundType) = ("Int", "a string")
        let decoding = ClientError.decodingFailed(failure, context)
        for text in [decoding.localizedDescription, "\(decoding)"] {
            for part in ["Album", "photos[3].url", "Int", "a string"] { #expect(text.contains(part), "\(text)") }
        }
        #expect(RequestFailure.relativeURL.localizedDescription.contains("baseURL"))
        #expect(RequestFailure.relativeURL.localizedDescription.contains("https://"))
    }

    /// With `--attachments-path`, `swift test` writes all texts to a file, in which people can read them.
    @Test func `no two cases of a type have the same texts`() {
        var kinds: [String: Set<String>] = [:]
        var lines: [String] = []
        for sample in ErrorSamples.all {
            let (sentence, detail) = (sample.error.localizedDescription, "\(sample.error)")
            kinds["\(sample.type) \(sentence) \(detail)", default: []].insert(sample.testDescription)
            lines += [sample.testDescription, "    \(sentence)", "    \(detail)"]
        }
        Attachment.record(lines.joined(separator: "\n"), named: "messages.txt")
        for (text, samples) in kinds where samples.count > 1 { Issue.record("\(samples.sorted()): \(text)") }
    }

    // MARK: The rules

    /// Protocol words that are also names of types.
    private static let words: Set = ["WebSocket", "SameSite"]

    /// Returns the rules that a text for apps breaks.
    private static func faults(of text: String, types: [String]) -> [String] {
        var faults: [String] = []
        if text.count > Sentence.maximumLength { faults.append("has \(text.count) characters") }
        if text.contains(where: \.isNewline) { faults.append("has more than one line") }
        if text.contains("(") || text.contains(")") { faults.append("has a parenthesis") }
        // Text of another party is in quotation marks, and may contain anything.
        let own = text.replacing(/"[^"]*"/, with: "\"…\"")
        if own.contains("\"") && own.ranges(of: "\"").count % 2 != 0 { faults.append("has half a quotation") }
        if own.first?.isUppercase != true { faults.append("does not begin like a sentence") }
        if !own.hasSuffix(".") || own.dropLast().contains(/[.!?…] [A-Z]/) { faults.append("is not one sentence") }
        for word in ["OpenSSL", "BoringSSL", "NIO", "0x", "SSL_", "§", "phase ", "errno", "Optional"]
        where own.contains(word) {
            faults.append("has the word \(word)")
        }
        let words = Set(own.split { !$0.isLetter && !$0.isNumber }.map(String.init))
        for type in types
        where words.contains(type) && type.filter(\.isUppercase).count > 1 && !self.words.contains(type) {
            faults.append("names the type \(type)")
        }
        return faults
    }
}
