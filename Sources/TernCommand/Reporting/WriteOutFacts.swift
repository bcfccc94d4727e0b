// SPDX-License-Identifier: Apache-2.0
import HTTPTypes
import Tern
import TernFoundation
import TernTransport

/// The values that are available to `--write-out` when a call is over.
///
/// Times are in seconds from the start of the call, and most are those of the last exchange, which begins at `time_redirect`.
struct WriteOutFacts: Sendable {
    let exitCode: Int32
    let message: String?
    let url: String
    let file: String?
    let response: Response?
    /// The metrics of the call; `nil` if it never began.
    let metrics: TaskMetrics?
    /// The number of the URL on the command line, from 0.
    var urlNumber = 0

    static let names: Set<String> = Set(numbers.keys).union(texts.keys)
        .union(["json", "header_json", "stderr", "stdout", "onerror"])

    /// Returns an empty text for an unknown value, and `nil` for an unknown name, or for one without a value, such as `stderr`.
    func text(of name: String) -> String? {
        if let number = Self.numbers[name] { return number(self).text }
        if let text = Self.texts[name] { return text(self) ?? "" }
        switch name {
        case "json": return self.json
        case "header_json": return self.fieldsJSON
        default: return nil
        }
    }

    func field(_ name: String) -> String? { HTTPField.Name(name).flatMap { self.response?[$0] } }

    // MARK: Values

    enum Number: Equatable, Sendable {
        case whole(Int64)
        case status(Int)
        case seconds(Duration)

        var text: String {
            switch self {
            case .whole(let number): return "\(number)"
            case .status(let status): return String(String(status + 1000).dropFirst())
            case .seconds(let duration):
                let microseconds = max(0, Int64((duration / .microseconds(1)).rounded()))
                let fraction = String(microseconds % 1_000_000 + 1_000_000).dropFirst()
                return "\(microseconds / 1_000_000).\(fraction)"
            }
        }
    }

    private var last: TransactionMetrics? { self.metrics?.transactions.last }

    private static let numbers: [String: @Sendable (WriteOutFacts) -> Number] = [
        "http_code": { .status($0.response?.statusCode ?? $0.last?.statusCode ?? 0) },
        "response_code": { .status($0.response?.statusCode ?? $0.last?.statusCode ?? 0) },
        "http_connect": { .status($0.last?.tunnelling == nil ? 0 : 200) },
        "exitcode": { .whole(Int64($0.exitCode)) },
        "num_connects": { facts in
            .whole(Int64(facts.metrics?.transactions.count { $0.isConnectionReused == false } ?? 0))
        },
        "num_headers": { .whole(Int64($0.response?.receivedFields.count ?? 0)) },
        "num_redirects": { .whole(Int64($0.metrics?.redirectCount ?? 0)) },
        "num_retries": { facts in .whole(Int64(facts.metrics?.transactions.count { $0.reason == .retry } ?? 0)) },
        "size_download": { .whole($0.last?.received.body ?? 0) },
        "size_header": { facts in .whole(facts.metrics?.transactions.reduce(0) { $0 + $1.received.head } ?? 0) },
        "size_request": { facts in
            .whole(facts.metrics?.transactions.reduce(0) { $0 + $1.sent.head + $1.sent.body } ?? 0)
        },
        "size_upload": { .whole($0.last?.sent.body ?? 0) },
        "speed_download": { .whole($0.speed($0.last?.received.body)) },
        "speed_upload": { .whole($0.speed($0.last?.sent.body)) },
        "ssl_verify_result": { .whole($0.response?.tls?.trust.evaluation == nil ? 0 : 1) },
        "proxy_ssl_verify_result": { _ in .whole(0) },
        "time_namelookup": { .seconds($0.last?.resolution?.upperBound ?? $0.last?.start ?? .zero) },
        "time_connect": { .seconds($0.last?.connecting?.upperBound ?? $0.last?.start ?? .zero) },
        "time_appconnect": { .seconds($0.last?.handshake?.upperBound ?? .zero) },
        "time_pretransfer": { .seconds($0.last?.connected ?? .zero) },
        "time_posttransfer": { .seconds($0.last?.requestSent ?? $0.last?.headSent ?? .zero) },
        "time_starttransfer": { .seconds($0.last?.firstByte ?? .zero) },
        "time_redirect": { .seconds($0.metrics?.redirectCount ?? 0 > 0 ? $0.last?.start ?? .zero : .zero) },
        "time_total": { .seconds($0.metrics?.duration ?? .zero) },
        "urlnum": { .whole(Int64($0.urlNumber)) },
        "local_port": { .whole($0.port($0.last?.connection?.addresses.local)) },
        "remote_port": { .whole($0.port($0.last?.connection?.addresses.remote)) },
    ]

    private static let texts: [String: @Sendable (WriteOutFacts) -> String?] = [
        "content_type": { $0.response?[.contentType] },
        "errormsg": { $0.message },
        "filename_effective": { $0.file },
        "http_version": { $0.response.map { $0.httpVersion?.number ?? "0" } ?? "0" },
        "local_ip": { $0.host($0.last?.connection?.addresses.local) },
        "remote_ip": { $0.host($0.last?.connection?.addresses.remote) },
        "method": { $0.last?.method },
        "redirect_url": { $0.redirectURL },
        "referer": { _ in nil },
        "scheme": { $0.effectiveURL.split(separator: ":").first.map { $0.lowercased() } },
        "url": { $0.url },
        "url_effective": { $0.effectiveURL },
    ]

    private var effectiveURL: String {
        self.response?.url.absoluteString ?? self.last?.url.absoluteString ?? self.url
    }

    /// The URL of a redirect that the client did not follow.
    private var redirectURL: String? {
        guard let response, 300..<400 ~= response.statusCode, let location = response[.location] else { return nil }
        return URL(string: location, relativeTo: response.url)?.absoluteString
    }

    private func speed(_ byteCount: Int64?) -> Int64 {
        let seconds = (self.metrics?.duration ?? .zero) / .seconds(1)
        return seconds > 0 ? Int64(Double(byteCount ?? 0) / seconds) : 0
    }

    private func host(_ text: String?) -> String? {
        guard let text, let colon = text.lastIndex(of: ":") else { return nil }
        return text[..<colon].filter { $0 != "[" && $0 != "]" }
    }

    private func port(_ text: String?) -> Int64 {
        text.flatMap { text in text.lastIndex(of: ":").flatMap { Int64(text[text.index(after: $0)...]) } } ?? 0
    }

    // MARK: JSON

    private enum Value: Encodable {
        case number(Double)
        case whole(Int64)
        case text(String)
        case null

        func encode(to encoder: any Encoder) throws {
            var container = encoder.singleValueContainer()
            switch self {
            case .number(let number): try container.encode(number)
            case .whole(let number): try container.encode(number)
            case .text(let text): try container.encode(text)
            case .null: try container.encodeNil()
            }
        }
    }

    private var json: String {
        var values: [String: Value] = Self.texts.mapValues { text in text(self).map { .text($0) } ?? .null }
        for (name, number) in Self.numbers {
            values[name] =
                switch number(self) {
                case .whole(let number): .whole(number)
                case .status(let status): .whole(Int64(status))
                case .seconds(let duration): .number((duration / .microseconds(1)).rounded() / 1_000_000)
                }
        }
        return JSONLine.encode(values)
    }

    /// The fields as one JSON object: names in lower case, each with a list of its values.
    private var fieldsJSON: String {
        var values: [String: [String]] = [:]
        for field in self.response?.receivedFields ?? [:] {
            values[field.name.canonicalName, default: []].append(field.value)
        }
        return JSONLine.encode(values)
    }
}
