// SPDX-License-Identifier: Apache-2.0
import Tern

/// The outcome of a command: its name in `--report json`, its exit code, and its meaning.
enum Outcome: String, CaseIterable, Codable, Sendable {
    case ok
    case other
    case invalidRequest
    case resolutionFailed
    case connectionFailed
    case protocolViolation
    case truncated
    case unsuccessfulStatus
    case fileFailed
    case uploadFailed
    case timedOut
    case tlsFailed
    case redirectFailed
    case connectionLost
    case clientCertificate
    case notTrusted
    case tooLong
    case usage
    case notPinned
    case authenticationFailed
    case proxyFailed
    case hungUp
    case interrupted
    case terminated

    /// Curl's number where curl has one.
    var exitCode: Int32 {
        switch self {
        case .ok: 0
        case .other: 1
        case .invalidRequest: 3
        case .resolutionFailed: 6
        case .connectionFailed: 7
        case .protocolViolation: 8
        case .truncated: 18
        case .unsuccessfulStatus: 22
        case .fileFailed: 23
        case .uploadFailed: 26
        case .timedOut: 28
        case .tlsFailed: 35
        case .redirectFailed: 47
        case .connectionLost: 56
        case .clientCertificate: 58
        case .notTrusted: 60
        case .tooLong: 63
        case .usage: 64
        case .notPinned: 90
        case .authenticationFailed: 94
        case .proxyFailed: 97
        case .hungUp: 129
        case .interrupted: 130
        case .terminated: 143
        }
    }

    /// In a few words; a line break keeps the help within 80 columns.
    var meaning: String {
        switch self {
        case .ok: "success, or the reader of standard output stopped reading"
        case .other: "another failure"
        case .invalidRequest: "the URL or the request is invalid; nothing was sent"
        case .resolutionFailed: "the host name could not be looked up"
        case .connectionFailed: "no connection could be made"
        case .protocolViolation: "the server broke a rule of HTTP or of WebSocket, or a checksum differs"
        case .truncated: "the body ended early"
        case .unsuccessfulStatus:
            """
            an unsuccessful status (only with --fail for get, for lines, and for
            requests of run without a stream or WebSocket), or an unexpected media
            type or close code
            """
        case .fileFailed:
            """
            the file, or standard output, could not be written, or the directory of
            the transfers cannot be used
            """
        case .uploadFailed: "the file to upload, or standard input, could not be read or sent"
        case .timedOut: "a time limit passed"
        case .tlsFailed: "TLS could not be established, or the TLS settings are not valid"
        case .redirectFailed: "a redirect was not followed: too many, a loop, https to http, or invalid"
        case .connectionLost: "the connection was lost before a response, or a Close frame, arrived"
        case .clientCertificate: "the server requires a client certificate, or a different one"
        case .notTrusted: "the server's certificate is not trusted"
        case .tooLong: "a line, an event, a value, a message or a body is too long"
        case .usage:
            """
            the command line, or another file, folder or transfer that it names,
            cannot be used, or tern-cli could not ask for input
            """
        case .notPinned: "the server has none of the keys in --pin"
        case .authenticationFailed: "authentication failed for a reason other than a 401"
        case .proxyFailed: "the proxy did not connect to the server"
        case .hungUp: "ended by SIGHUP, because the terminal is gone"
        case .interrupted: "interrupted by Ctrl-C (SIGINT)"
        case .terminated: "ended by SIGTERM"
        }
    }

    /// Whether the user ended the command, so that no message is needed.
    var isUserRequested: Bool { self == .interrupted || self == .terminated || self == .hungUp }

    static var table: String {
        Self.allCases.map { outcome in
            let meaning = outcome.meaning.replacing("\n", with: "\n       ")
            return "  \(String(outcome.exitCode).padding(to: 3, isRight: true))  \(meaning)"
        }.joined(separator: "\n")
    }
}

extension Outcome {
    init?(signal: CInt?) {
        switch signal {
        case System.interrupt: self = .interrupted
        case System.terminate: self = .terminated
        case System.hangUp: self = .hungUp
        default: return nil
        }
    }

    init(_ error: ClientError) {
        self =
            switch error {
            case .cancelled: .interrupted
            case .invalidRequest: .invalidRequest
            case .timedOut: .timedOut
            case .connectionFailed(.resolution, _): .resolutionFailed
            case .connectionFailed: .connectionFailed
            case .tlsFailed(.pinMismatch, _): .notPinned
            case .tlsFailed(.clientCertificateRequired, _), .tlsFailed(.clientCertificateRefused, _): .clientCertificate
            case .tlsFailed(let reason, _): reason.isTrust ? .notTrusted : .tlsFailed
            case .redirectFailed: .redirectFailed
            case .authenticationFailed: .authenticationFailed
            case .proxyFailed: .proxyFailed
            case .connectionLost: .connectionLost
            case .truncated: .truncated
            case .protocolViolation, .digestFailed: .protocolViolation
            case .bodyTooLarge, .lineTooLong, .valueTooLong, .messageTooLarge: .tooLong
            case .uploadFailed: .uploadFailed
            case .fileFailed: .fileFailed
            case .webSocketRefused(let refusal, _):
                switch refusal.reason {
                case .status: .unsuccessfulStatus
                case .handshake: .protocolViolation
                default: .other
                }
            case .validationFailed: .unsuccessfulStatus
            case .webSocketClosed: .connectionLost
            default: .other
            }
    }
}
