// SPDX-License-Identifier: Apache-2.0
public import Tern
public import TernFoundation

extension ScriptedResponse {
    /// A step of a body that a test server sends part by part: a part to send, a pause, or an early end.
    ///
    /// ```swift
    /// let connector = MemoryConnector(clock: clock) { _ in
    ///     .events([.event("Hel"), .pause(.seconds(15)), .event("lo"), .cut])
    /// }
    /// ```
    ///
    /// Without an early end, the body ends after the last step; in a `ScriptedTransport`, ``cut`` and ``reset`` throw
    /// `ClientError.truncated`. If a step to perform has a mistake, such as a value that cannot be encoded, the call fails.
    public struct BodyStep: Sendable {
        enum Content: Sendable {
            case event(ServerSentEvent, id: String?)
            /// An event, with an `id` field if its ID differs from the last event ID; or a comment.
            case recorded(ServerSentEvent)
            case retry(Duration)
            case record(Data)
            case bytes([UInt8])
            case pause(Duration)
            case end(ScriptedResponse.Ending)
            case mistake(TestStallError)
        }

        let content: Content

        private init(_ content: Content) { self.content = content }
    }
}

// MARK: Server-sent events

extension ScriptedResponse.BodyStep {
    /// Sends a server-sent event.
    ///
    /// - Parameters:
    ///   - data: The data. Each of its lines becomes a `data` field.
    ///   - event: The type; `nil` for no `event` field, so that the type is `message`.
    ///   - id: The event ID. An empty ID clears the client's last event ID; `nil` keeps it.
    /// - Returns: The step.
    public static func event(_ data: String, event: String? = nil, id: String? = nil) -> Self {
        Self(.event(ServerSentEvent(event: event ?? "", data: data), id: id))
    }

    /// Sends a server-sent event whose data is a value in JSON.
    public static func event(
        json value: some Encodable,
        event: String? = nil,
        id: String? = nil,
        encoder: JSONEncoder = JSONEncoder()
    ) -> Self {
        self.encoding(value, encoder) { .event(String(decoding: $0, as: UTF8.self), event: event, id: id) }
    }

    /// Sends a comment, or a server-sent event, with an `id` field if its ID differs from the last event ID.
    public static func event(_ event: ServerSentEvent) -> Self { Self(.recorded(event)) }

    /// Sends a comment of a stream of server-sent events, such as `keep-alive`, in one line.
    public static func comment(_ text: String) -> Self { Self(.recorded(ServerSentEvent(comment: text))) }

    /// Sends a `retry` field, in whole milliseconds, which asks the client to wait before it connects again.
    public static func retry(_ duration: Duration) -> Self { Self(.retry(duration)) }
}

// MARK: Records and bytes

extension ScriptedResponse.BodyStep {
    /// Sends a value as a record of JSON, in the format given to `records(_:format:)`, and in other responses as a line.
    public static func record(_ value: some Encodable, encoder: JSONEncoder = JSONEncoder()) -> Self {
        self.encoding(value, encoder) { Self(.record($0)) }
    }

    /// Sends text, such as a part of an event or a malformed record.
    public static func text(_ text: String) -> Self { .bytes(Array(text.utf8)) }

    /// Sends bytes.
    public static func bytes(_ bytes: [UInt8]) -> Self { Self(.bytes(bytes)) }

    private static func encoding(
        _ value: some Encodable,
        _ encoder: JSONEncoder,
        _ step: (Data) -> Self
    ) -> Self {
        do {
            return step(try encoder.encode(value))
        } catch {
            return Self(.mistake(TestStallError("The script cannot encode a \(type(of: value)): \(error)")))
        }
    }
}

// MARK: Time and early ends

extension ScriptedResponse.BodyStep {
    /// Waits by the clock of the connector or, in a `ScriptedTransport`, of the call; stops if the client closes the connection.
    public static func pause(_ duration: Duration) -> Self { Self(.pause(duration)) }

    /// Closes the connection, or over HTTP/2, if other streams are open, resets only its stream; later steps are not performed.
    public static let cut = Self(.end(.close))

    /// Resets the connection, or over HTTP/2, if other streams are open, only its stream; later steps are not performed.
    public static let reset = Self(.end(.reset))

    /// Sends nothing more; later steps are not performed.
    public static let stall = Self(.end(.stall))
}
