// SPDX-License-Identifier: Apache-2.0
import Tern

struct BodyScript: Sendable {
    enum Part: Hashable, Sendable {
        /// At least one byte.
        case bytes([UInt8])
        case pause(Duration)
        /// Always the last part.
        case end(ScriptedResponse.Ending)
    }

    private(set) var parts: [Part] = []

    /// Encodes steps up to the first that ends the body early.
    init(_ steps: [ScriptedResponse.BodyStep], recordsAs format: RecordStreamFormat) throws(TestStallError) {
        var encoder = EventEncoder()
        for step in steps {
            switch step.content {
            case .event(let event, let id): self.append(try encoder.encode(event, id: id))
            case .recorded(let event): self.append(try encoder.encode(event))
            case .retry(let duration): self.append(try encoder.encode(retryAfter: duration))
            case .record(let json): self.append(Self.record(json, as: format))
            case .bytes(let bytes): self.append(bytes)
            case .pause(let duration): self.parts.append(.pause(duration))
            case .end(let ending):
                self.parts.append(.end(ending))
                return
            case .mistake(let mistake): throw mistake
            }
        }
    }

    private mutating func append(_ bytes: [UInt8]) {
        // An empty chunk would end a chunked body.
        if !bytes.isEmpty { self.parts.append(.bytes(bytes)) }
    }

    private static func record(_ json: some Sequence<UInt8>, as format: RecordStreamFormat) -> [UInt8] {
        let (lineFeed, space, separator) = (UInt8(ascii: "\n"), UInt8(ascii: " "), UInt8(0x1E))
        switch format {
        case .textSequence: return [separator] + json + [lineFeed]
        // A space can replace each line feed: in JSON, line feeds are always between tokens, because a string contains
        // them only in escaped form (RFC 8259 §7).
        case .lines, .automatic: return json.map { $0 == lineFeed ? space : $0 } + [lineFeed]
        }
    }

    /// Each part as a chunk (RFC 9112 §7.1), and the last chunk, unless the body ends early.
    var chunked: BodyScript {
        var script = self
        script.parts = self.parts.map { part in
            guard case .bytes(let bytes) = part else { return part }
            return .bytes(Array("\(String(bytes.count, radix: 16))\r\n".utf8) + bytes + Array("\r\n".utf8))
        }
        if case .end? = self.parts.last { return script }
        script.parts.append(.bytes(Array("0\r\n\r\n".utf8)))
        return script
    }
}

extension RecordStreamFormat {
    var mediaType: String {
        switch self {
        case .lines, .automatic: "application/x-ndjson"
        case .textSequence: "application/json-seq"
        }
    }
}
