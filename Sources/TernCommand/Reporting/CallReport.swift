// SPDX-License-Identifier: Apache-2.0
import Tern

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// The result of a command, as it is told at its end; with `--report json`, for machines.
struct CallReport: Encodable, Sendable {
    /// How it ended.
    var outcome = Outcome.ok
    /// The status of the response; `nil` if there was none.
    var status: Int?
    /// What was asked for.
    var url: String?
    /// How many bytes of body there were, in the direction that the command is about, decompressed.
    var bytes: Int64?
    /// How many bytes were transferred for them; `nil` if as many, or if that is not known.
    var encodedBytes: Int64?
    /// How long it took.
    var seconds: Double?
    /// Where the file is.
    var location: String?
    /// The way to the response; `nil` if there was none.
    var facts: ResponseFacts?
    /// The response, which knows where the time went; `nil` if there was none.
    var response: Response?
    /// Where the time went; `nil` if it was not measured.
    var metrics: MetricsFacts?
    /// How the WebSocket was closed; `nil` if there was none.
    var closing: WebSocketClosing?
    /// What went wrong, in a sentence; `nil` if nothing did, or if it is nothing to speak of.
    var message: String?

    private enum CodingKeys: String, CodingKey {
        case outcome, exitCode, status, url, bytes, encodedBytes, seconds, location, message, metrics
        case event, closeCode, closedBy, reason
    }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(self.outcome, forKey: .outcome)
        try container.encode(self.outcome.exitCode, forKey: .exitCode)
        try container.encodeIfPresent(self.status, forKey: .status)
        try container.encodeIfPresent(self.url, forKey: .url)
        try container.encodeIfPresent(self.bytes, forKey: .bytes)
        try container.encodeIfPresent(self.encodedBytes, forKey: .encodedBytes)
        try container.encodeIfPresent(self.seconds, forKey: .seconds)
        try container.encodeIfPresent(self.location, forKey: .location)
        try container.encodeIfPresent(self.message, forKey: .message)
        try container.encodeIfPresent(self.metrics, forKey: .metrics)
        try self.facts?.encode(to: encoder)
        guard let closing = self.closing else { return }
        try container.encode("closed", forKey: .event)
        try container.encodeIfPresent(closing.code?.rawValue, forKey: .closeCode)
        try container.encodeIfPresent(closing.reason, forKey: .reason)
        try container.encodeIfPresent(closing.side, forKey: .closedBy)
    }

    /// One line of JSON.
    var json: String { JSONLine.encode(self) }
}

extension CallReport {
    /// A report on a response.
    init(_ response: Response, bytes: Int64) {
        self.status = response.statusCode
        self.bytes = bytes
        self.response = response
        self.facts = ResponseFacts(response)
    }

    /// A report on a failure.
    init(_ error: any Error) {
        switch error {
        case let error as ClientError:
            self.outcome = Outcome(error)
            self.status = error.status?.code
            self.message = error.description
        case let error as CommandFailure:
            self.outcome = error.outcome
            self.message = error.message
        case OutputFailure.closed:
            self.outcome = .ok
        case OutputFailure.cancelled:
            self.outcome = .interrupted
        case OutputFailure.system(let errno):
            self.outcome = .fileFailed
            self.message = "standard output could not be written: \(System.text(ofError: errno))"
        default:
            self.outcome = .other
            self.message = "\(error)"
        }
    }

    /// Makes it a failure if the status is one.
    ///
    /// - Parameters:
    ///   - response: what the server answered.
    ///   - statuses: which statuses are failures.
    ///   - message: what that means here.
    mutating func fail(_ response: Response, if statuses: PartialRangeFrom<Int>, _ message: String) {
        guard statuses.contains(response.statusCode) else { return }
        self.outcome = .unsuccessfulStatus
        let status = TerminalText.harmless("\(response.status)")  // the reason is the server's
        self.message = "the server answered \(status): \(message)"
        switch response.statusCode {
        case 401: self.advise("sign in by --user name, --bearer token, --netrc or --ask")
        case 407: self.advise("sign in at the proxy by --proxy http://user:password@host, or by --ask")
        default: break
        }
    }

    /// Says what can be done.
    ///
    /// - Parameter advice: what, in an order.
    mutating func advise(_ advice: String) { self.message = self.message.map { "\($0); \(advice)" } }

    /// Says what can be done about a server that is not trusted.
    ///
    /// - Parameter trust: what the server showed; `nil` if it was not looked at.
    mutating func advise(on trust: ServerTrust?) {
        switch self.outcome {
        case .notPinned:
            guard let pin = trust?.leafPin else { break }
            self.advise("the server's key is \(pin): if you know it to be right, give --pin \(pin)")
        case .notTrusted:
            self.advise("--tls-info shows the certificates, --cacert file trusts others than the system's")
        case .clientCertificate:
            self.advise("--cert file shows one")
        default:
            break
        }
    }
}

/// What machines are told of the way to a response.
struct ResponseFacts: Encodable, Sendable {
    /// A redirect that was followed.
    struct Redirect: Encodable, Sendable {
        let url: String
        let status: Int
    }

    /// What was agreed on when TLS was established.
    struct TLS: Encodable, Sendable {
        let version: String?
        let cipherSuite: String?
        /// The SHA-256 of the server's key.
        let pin: String?
    }

    /// The redirects, oldest first; `nil` if there were none.
    let redirects: [Redirect]?
    /// Where they led; `nil` if there were none.
    let finalURL: String?
    /// `nil` without TLS.
    let tls: TLS?
    /// How the cache was used: `cached`, `stale` or `revalidated`; `nil` if it was not.
    let cache: String?
    /// How old what the cache had is, in seconds; `nil` if it was not used.
    let cacheAge: Int64?

    init(_ response: Response) {
        let redirects = response.redirects.map { redirect in
            Redirect(url: ShownURL.text(redirect.url.absoluteString), status: redirect.statusCode)
        }
        self.redirects = redirects.isEmpty ? nil : redirects
        self.finalURL = redirects.isEmpty ? nil : ShownURL.text(response.url.absoluteString)
        (self.cache, self.cacheAge) =
            switch response.cacheStatus {
            case .cached(let age): ("cached", age.components.seconds)
            case .stale(let age): ("stale", age.components.seconds)
            case .revalidated(let age): ("revalidated", age.components.seconds)
            default: (nil, nil)
            }
        self.tls = response.tls.map { facts in
            TLS(
                version: facts.version?.description,
                cipherSuite: facts.cipherSuite?.description,
                pin: facts.trust.leafPin?.description
            )
        }
    }
}
