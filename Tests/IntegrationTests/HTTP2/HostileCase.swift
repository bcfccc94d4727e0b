// SPDX-License-Identifier: Apache-2.0
import Testing

/// A path of the hostile server that breaks a rule, and the section of the rule.
struct HostileCase: CustomTestStringConvertible, Sendable {
    let path: String
    let section: String

    private init(_ path: String, _ section: String) { (self.path, self.section) = (path, section) }

    var testDescription: String { self.path }

    private static func all(_ sections: KeyValuePairs<String, [String]>) -> [HostileCase] {
        sections.flatMap { section, paths in paths.map { HostileCase($0, section) } }
    }

    /// The attacks that end the connection.
    static let ofConnection = Self.all([
        "RFC 9113 §10.5": [
            "/flood/ping", "/flood/ping-answers", "/flood/settings", "/flood/settings-changes", "/flood/empty-data",
            "/flood/padding", "/flood/window-update", "/flood/window-update-of-stream", "/flood/priority",
            "/flood/altsvc", "/flood/origin", "/flood/unknown", "/flood/go-away", "/flood/continuation",
        ],
        "RFC 9113 §10.5.1": ["/flood/long-continuation", "/hpack/bomb", "/hpack/list-far-over-limit"],
        "RFC 7541 §4.2": ["/hpack/table-size-within", "/hpack/table-size-thrice"],
        "RFC 7541 §5.1": ["/hpack/integer-overflow", "/hpack/integer-without-end", "/hpack/huge-string"],
        "RFC 7541 §5.2": [
            "/hpack/end-of-string-symbol", "/hpack/long-padding", "/hpack/wrong-padding", "/hpack/truncated",
        ],
        "RFC 7541 §6.1": ["/hpack/no-such-entry", "/hpack/entry-zero"],
        "RFC 7541 §6.3": ["/hpack/table-size-too-large"],
        "RFC 9113 §4.2": ["/frame/too-long", "/frame/far-too-long"],
        "RFC 9113 §4.3": ["/frame/interrupted-block"],
        "RFC 9113 §5.1": [
            "/stream/idle-data", "/stream/idle-headers", "/stream/idle-reset", "/stream/idle-window-update",
            "/stream/even", "/stream/even-data", "/stream/far-away",
        ],
        "RFC 9113 §6.1": [
            "/frame/data-of-connection", "/frame/padding-too-long", "/frame/padding-of-empty-frame",
            "/frame/padding-of-headers",
        ],
        "RFC 9113 §6.2": ["/frame/headers-of-connection"],
        "RFC 9113 §6.4": ["/frame/reset-of-connection", "/frame/long-reset"],
        "RFC 9113 §6.5": ["/frame/settings-of-stream", "/frame/short-settings", "/frame/settings-ack-with-payload"],
        "RFC 9113 §6.5.2": ["/settings/push", "/settings/window", "/settings/frame-size"],
        "RFC 9113 §6.5.3": ["/frame/unknown-settings-ack"],
        "RFC 9113 §6.6": ["/frame/push"],
        "RFC 9113 §6.7": ["/frame/ping-of-stream", "/frame/short-ping"],
        "RFC 9113 §6.8": ["/frame/short-go-away", "/frame/go-away-increases"],
        "RFC 9113 §6.9": ["/frame/short-window-update", "/window/nothing"],
        "RFC 9113 §6.9.1": ["/window/overflow", "/settings/window-of-streams-overflows"],
        "RFC 9113 §6.10": ["/frame/continuation-of-nothing"],
        "RFC 9218 §7.1": ["/flood/priority-update"],
    ])

    /// The attacks that end only the stream.
    static let ofStream = Self.all([
        "RFC 9113 §6.9": ["/window/nothing-of-stream"],
        "RFC 9113 §6.9.1": ["/window/overflow-of-stream"],
        "RFC 9113 §8.1": [
            "/message/interim-ends", "/message/data-first", "/message/trailers-without-end",
            "/message/status-in-trailers",
        ],
        "RFC 9113 §8.1.1": [
            "/message/shorter", "/message/longer", "/message/two-lengths", "/message/negative-length",
            "/message/length-without-content",
        ],
        "RFC 9113 §8.2.1": [
            "/message/upper-case", "/message/space-in-name", "/message/empty-name", "/message/line-in-value",
            "/message/nul-in-value",
        ],
        "RFC 9113 §8.2.2": [
            "/message/connection", "/message/keep-alive", "/message/transfer-encoding", "/message/upgrade",
            "/message/proxy-connection",
        ],
        "RFC 9113 §8.3": [
            "/message/status-twice", "/message/status-late", "/message/unknown-pseudo-field",
            "/message/pseudo-field-of-requests",
        ],
        "RFC 9113 §8.3.2": ["/message/no-status", "/message/short-status", "/message/word-as-status"],
        "RFC 9113 §8.6": ["/message/switching-protocols"],
        "RFC 9113 §10.5.1": ["/hpack/list-over-limit", "/hpack/many-fields"],
    ])

    /// The paths whose frames are unusual but right, so that the call succeeds with the text `fine`.
    static let harmless = [
        "/fine/altsvc", "/fine/origin", "/fine/priority", "/fine/short-priority-of-idle-stream", "/fine/unknown",
        "/fine/unknown-settings", "/fine/unknown-flags", "/fine/reserved-bits", "/fine/padding",
        "/fine/padding-to-the-end", "/fine/table-sizes", "/fine/indexed", "/fine/long-head", "/fine/empty-continuation",
        "/fine/hints",
        "/fine/trailers", "/fine/data-after-end", "/fine/reset-after-end", "/fine/window-update-after-end",
    ]
}
