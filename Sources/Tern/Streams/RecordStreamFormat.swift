// SPDX-License-Identifier: Apache-2.0
import HTTPTypes
import TernErrors
import TernStreams
import TernTransport

/// The format of a stream of JSON records.
@nonexhaustive
public enum RecordStreamFormat: Hashable, Sendable {
    /// The media type decides: `application/json-seq` and types that end in `+json-seq` are ``textSequence``, others ``lines``.
    case automatic
    /// One JSON value on each line (NDJSON, JSON Lines); the client skips blank lines, and the last line needs no line feed.
    case lines
    /// A JSON text sequence (RFC 7464): U+001E begins each value, and a line feed ends it.
    case textSequence

    var accept: String {
        switch self {
        case .automatic:
            "application/x-ndjson, application/jsonl, application/json-seq, application/json;q=0.5, */*;q=0.1"
        case .lines: "application/x-ndjson, application/jsonl, application/json;q=0.5, */*;q=0.1"
        case .textSequence: "application/json-seq"
        }
    }

    func format(of response: Response) -> RecordFormat {
        switch self {
        case .lines: return .lines
        case .textSequence: return .textSequence
        case .automatic:
            guard let type = MediaType(of: response.fields) else { return .lines }
            return type.essence == "application/json-seq" || type.suffix == "json-seq" ? .textSequence : .lines
        }
    }
}
