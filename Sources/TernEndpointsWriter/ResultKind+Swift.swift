// SPDX-License-Identifier: Apache-2.0
import TernRequestFiles

extension RequestDefinition.ResultKind {
    /// A parameter of the generated method, in addition to those that the file describes.
    struct MethodParameter {
        let swift: String
        let documentation: String
    }

    var swift: String? {
        switch self {
        case .data: "Data"
        case .void: nil
        case .lines: "ResponseBytes.Lines"
        case .webSocket: "WebSocket"
        case .value(let type): type.text
        case .events: "EventStream"
        case .reconnectingEvents: "ReconnectingEventStream"
        case .decodedEvents(let type): "DecodedEvents<\(type)>"
        case .decodedRecords(let type): "DecodedRecords<\(type)>"
        }
    }

    var parameters: [MethodParameter] {
        let delegate = "delegate: (any TaskDelegate)? = nil"
        let handling = "delegate: Handles this call's challenges and events. Defaults to `nil`."
        let ofEvents = MethodParameter(
            swift: "options: EventStreamOptions = EventStreamOptions()",
            documentation: "options: The settings of the stream. Defaults to `EventStreamOptions()`."
        )
        return switch self {
        case .data, .void, .lines, .value, .decodedRecords:
            [MethodParameter(swift: delegate, documentation: handling)]
        case .webSocket:
            [
                MethodParameter(
                    swift: "options: WebSocketOptions = WebSocketOptions()",
                    documentation: "options: The settings of the WebSocket. Defaults to `WebSocketOptions()`."
                ),
                MethodParameter(swift: delegate, documentation: handling),
            ]
        case .events, .decodedEvents:
            [ofEvents, MethodParameter(swift: delegate, documentation: handling)]
        case .reconnectingEvents:
            [
                MethodParameter(
                    swift: "lastEventID: String = \"\"",
                    documentation: "lastEventID: The ID of the last event that the program has seen. Defaults to an "
                        + "empty ID."
                ),
                MethodParameter(
                    swift: "policy: EventReconnectionPolicy = EventReconnectionPolicy()",
                    documentation: "policy: Decides whether and when to connect again. Defaults to "
                        + "`EventReconnectionPolicy()`."
                ),
                ofEvents,
                MethodParameter(
                    swift: delegate,
                    documentation: "delegate: Handles the challenges and events of each call. Defaults to `nil`."
                ),
            ]
        }
    }

    var documentation: String? {
        switch self {
        case .data: "The response body."
        case .void: nil
        case .lines: "The lines of the response body, as they arrive."
        case .webSocket: "The open WebSocket; releasing it closes it."
        case .value: "The value in the body of the response."
        case .events: "The events of the response, as they arrive."
        case .reconnectingEvents: "The events. The client connects when you await the first element."
        case .decodedEvents: "The values in the events of the response, as they arrive."
        case .decodedRecords: "The values in the body of the response, as they arrive."
        }
    }

    var failure: [String] {
        let status = "- Throws: `ClientError`; `.validationFailed` for a status other than 2xx"
        let events = "\(status), or if the body is not"
        return switch self {
        case .data, .void, .lines: ["\(status)."]
        case .webSocket: ["- Throws: `ClientError`; `.webSocketRefused` if the server refuses it."]
        case .value: ["\(status), `.decodingFailed` if the body", "  cannot be decoded."]
        case .events: [events, "  a stream of events."]
        case .reconnectingEvents: []
        case .decodedEvents:
            [events, "  a stream of events. The sequence throws `.decodingFailed` if an event cannot be decoded."]
        case .decodedRecords:
            ["\(status). The sequence throws", "  `.decodingFailed` if a value cannot be decoded."]
        }
    }
}
