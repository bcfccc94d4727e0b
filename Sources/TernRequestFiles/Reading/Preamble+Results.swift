// SPDX-License-Identifier: Apache-2.0

extension Preamble {
    /// The words after `@returns` that cannot be the type in `Events of Type` or `Values of Type`.
    private static let resultWords: Set<String> = ["Data", "Void", "Lines", "WebSocket", "Events", "Values"]

    static func result(_ rest: FileLine) throws(Diagnostic) -> RequestDefinition.ResultKind {
        switch rest.bytes.text {
        case "Data": return .data
        case "Void": return .void
        case "Lines": return .lines
        case "WebSocket": return .webSocket
        case "Events": return .events
        case let text:
            // `Events.Page` is a type, because a namespace may be called `Events`.
            let word = rest.bytes.prefix(while: \.isNameByte).text
            let isStream = ["events", "values"].contains(word.lowercased())
            if let type = TypeName(text), !(isStream && word == text) { return .value(type) }
            guard isStream else { throw Diagnostic(.malformedType, at: rest.position) }
            return try Self.stream(rest)
        }
    }

    /// Parses `Events of Type` or `Values of Type`.
    private static func stream(_ rest: FileLine) throws(Diagnostic) -> RequestDefinition.ResultKind {
        var words = rest
        let kind = words.takeWord()?.bytes.text
        guard kind == "Events" || kind == "Values", words.takeWord()?.bytes.text == "of" else {
            throw Diagnostic(.malformedStream, at: rest.position)
        }
        let text = words.trimmed
        guard !text.bytes.isEmpty, !Self.resultWords.contains(text.bytes.text) else {
            throw Diagnostic(.malformedStream, at: text.position)
        }
        guard let type = TypeName(text.bytes.text) else { throw Diagnostic(.malformedType, at: text.position) }
        return kind == "Events" ? .decodedEvents(type) : .decodedRecords(type)
    }

    /// Parses `data [DONE]` or `event message_stop`.
    static func finalEvent(_ rest: FileLine) throws(Diagnostic) -> RequestDefinition.FinalEventRule {
        var words = rest
        let field = words.takeWord()?.bytes.text
        let value = words.bytes.trimmed
        guard !value.isEmpty else { throw Diagnostic(.malformedUntil, at: rest.position) }
        switch field {
        case "data": return .data(value.text)
        case "event": return .event(value.split(whereSeparator: \.isBlank).map(\.text))
        default: throw Diagnostic(.malformedUntil, at: rest.position)
        }
    }
}

extension RequestDefinition.ResultKind {
    /// The names of parameters that the method for this result has, in addition to those of every method.
    var reservedNames: Set<String> { self == .reconnectingEvents ? ["lastEventID", "policy"] : [] }
}
