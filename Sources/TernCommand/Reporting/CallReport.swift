// SPDX-License-Identifier: Apache-2.0
import HTTPTypes
import Tern
import TernFoundation

/// The result of a command, which the command reports at its end: as text, or as JSON with `--report json`.
struct CallReport: Encodable, Sendable {
    var outcome = Outcome.ok
    var status: Int?
    var url: String?
    /// The length of the request body for `upload`, otherwise of the response body, after decompression if there was any.
    var bytes: Int64?
    var events: Int?
    /// The number of transferred bytes; `nil` if it equals ``bytes``, or is unknown.
    var encodedBytes: Int64?
    /// The duration of the call, in seconds.
    var seconds: Double?
    var resumedBytes: Int64?
    var restart: String?
    var location: String?
    var facts: ResponseFacts?
    var response: Response?
    var metrics: MetricsFacts?
    var tlsFailure: TLSFailure?
    var closing: WebSocketClosing?
    /// One sentence; `nil` if there is nothing to say.
    var message: String?
    /// The beginning of a body that describes the failure, unless it was printed.
    var body: String?

    private enum CodingKeys: String, CodingKey {
        case outcome, exitCode, status, url, bytes, events, encodedBytes, resumedBytes, restart, seconds, location,
            message, body, metrics
        case event, closeCode, closedBy, reason
    }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(self.outcome, forKey: .outcome)
        try container.encode(self.outcome.exitCode, forKey: .exitCode)
        try container.encodeIfPresent(self.status, forKey: .status)
        try container.encodeIfPresent(self.url, forKey: .url)
        try container.encodeIfPresent(self.bytes, forKey: .bytes)
        try container.encodeIfPresent(self.events, forKey: .events)
        try container.encodeIfPresent(self.encodedBytes, forKey: .encodedBytes)
        try container.encodeIfPresent(self.resumedBytes, forKey: .resumedBytes)
        try container.encodeIfPresent(self.restart, forKey: .restart)
        try container.encodeIfPresent(self.seconds, forKey: .seconds)
        try container.encodeIfPresent(self.location, forKey: .location)
        try container.encodeIfPresent(self.message, forKey: .message)
        try container.encodeIfPresent(self.body, forKey: .body)
        try container.encodeIfPresent(self.metrics, forKey: .metrics)
        try self.facts?.encode(to: encoder)
        guard let closing = self.closing else { return }
        try container.encode("closed", forKey: .event)
        try container.encodeIfPresent(closing.code?.rawValue, forKey: .closeCode)
        try container.encodeIfPresent(closing.reason, forKey: .reason)
        try container.encodeIfPresent(closing.side, forKey: .closedBy)
    }

    var json: String { JSONLine.encode(self) }
}

extension CallReport {
    init(_ response: Response, bytes: Int64) {
        self.status = response.statusCode
        self.bytes = bytes
        self.response = response
        self.facts = ResponseFacts(response)
    }

    init(_ error: any Error) {
        switch error {
        case let error as ClientError:
            self.outcome = Outcome(error)
            self.status = error.status?.code
            self.message = error.description
            if case .tlsFailed(let reason, _) = error { self.tlsFailure = reason }
            // Only standard input is sent as a stream.
            if case .uploadFailed(.streamFailed, _) = error { self.message = "standard input cannot be read" }
        case let error as CommandFailure:
            self.outcome = error.outcome
            self.message = error.message
        case OutputFailure.closed:
            self.outcome = .ok
        case OutputFailure.cancelled:
            self.outcome = .interrupted
        case OutputFailure.system(let errno):
            self.outcome = .fileFailed
            self.message = "the output cannot be written: \(System.text(ofError: errno))"
        default:
            self.outcome = .other
            self.message = "\(error)"
        }
    }

    mutating func fail(_ response: Response, if statuses: PartialRangeFrom<Int>, _ message: String) {
        guard statuses.contains(response.statusCode) else { return }
        self.fail(response.status, message)
    }

    mutating func fail(_ status: HTTPResponse.Status, _ message: String? = nil) {
        self.outcome = .unsuccessfulStatus
        // Sanitize the reason phrase, because the server chooses it. Without a phrase, as in HTTP/2, remove the blank
        // at the end.
        let text = TerminalText.sanitized("\(status)".split(separator: " ").joined(separator: " "))
        self.message = "the server answered \(text)"
        if let message { self.advise(message) }
        switch status.code {
        case 401: self.advise("sign in with --user name, --bearer token, --netrc or --ask")
        case 407: self.advise("sign in at the proxy with --proxy http://user:password@host or --ask")
        default: break
        }
    }

    mutating func advise(_ advice: String) { self.message = self.message.map { "\($0); \(advice)" } }

    /// Adds advice if the server is not trusted, or if the client certificate is missing or refused.
    mutating func advise(on trust: ServerTrust?) {
        switch self.outcome {
        case .notPinned:
            guard let pin = trust?.leafPin else { break }
            self.advise("the server's key is \(pin); use --pin \(pin) if you know that it is right")
        case .notTrusted:
            switch self.tlsFailure {
            case .unknownRoot?, .selfSigned?:
                self.advise("use --tls-info to see the certificates, or --cacert file to trust others")
            default: self.advise("use --tls-info to see the certificates")
            }
        case .clientCertificate:
            self.advise("use --cert file to choose the certificate to present")
        default:
            break
        }
    }
}

struct ResponseFacts: Encodable, Sendable {
    struct Redirect: Encodable, Sendable {
        let url: String
        let status: Int
    }

    struct TLS: Encodable, Sendable {
        let version: String?
        let cipherSuite: String?
        /// The SHA-256 of the server's key.
        let pin: String?
    }

    /// Oldest first.
    let redirects: [Redirect]?
    let finalURL: String?
    let tls: TLS?
    /// `cached`, `stale` or `revalidated`.
    let cache: String?
    let cacheAge: Int64?

    init(_ response: Response) {
        let redirects = response.redirects.map { redirect in
            Redirect(url: RedactedURL.text(redirect.url.absoluteString), status: redirect.statusCode)
        }
        self.redirects = redirects.isEmpty ? nil : redirects
        self.finalURL = redirects.isEmpty ? nil : RedactedURL.text(response.url.absoluteString)
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
