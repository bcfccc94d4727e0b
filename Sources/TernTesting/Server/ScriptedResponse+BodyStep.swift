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
    /// After the last step, the server ends the body normally. The client's call fails if a step contains a mistake,
    /// such as a value that cannot be encoded; the error describes the mistake.
    public struct BodyStep: Sendable {
        enum Content: Sendable {
            /// Send an event, with this `id` field.
            case event(ServerSentEvent, id: String?)
            /// Send an event, with an `id` field if its ID differs from the last event ID; or send a comment, which has
            /// no `id` field.
            case recorded(ServerSentEvent)
            /// Send a `retry` field.
            case retry(Duration)
            /// Send a JSON text as a record.
            case record(Data)
            /// Send bytes.
            case bytes([UInt8])
            /// Wait.
            case pause(Duration)
            /// End the body early.
            case end(ScriptedResponse.Ending)
            /// The step cannot be performed.
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
    ///   - data: The data. Each of its lines becomes a `data` field, so the client gets a line feed for each line
    ///     break.
    ///   - event: The type. Defaults to `nil`: the event has no `event` field, so its type is `message`.
    ///   - id: The event ID. An empty ID clears the client's last event ID. Defaults to `nil`: the event has no `id`
    ///     field, so the client keeps the last event ID.
    /// - Returns: The step.
    public static func event(_ data: String, event: String? = nil, id: String? = nil) -> Self {
        Self(.event(ServerSentEvent(event: event ?? "", data: data), id: id))
    }

    /// Sends a server-sent event whose data is a value in JSON.
    ///
    /// - Parameters:
    ///   - value: The value.
    ///   - event: The type. Defaults to `nil`: the event has no `event` field, so its type is `message`.
    ///   - id: The event ID. Defaults to `nil`: the event has no `id` field.
    ///   - encoder: The encoder. Defaults to a `JSONEncoder` with its default settings.
    /// - Returns: The step.
    public static func event(
        json value: some Encodable,
        event: String? = nil,
        id: String? = nil,
        encoder: JSONEncoder = JSONEncoder()
    ) -> Self {
        self.encoding(value, encoder) { .event(String(decoding: $0, as: UTF8.self), event: event, id: id) }
    }

    /// Sends a server-sent event or a comment, given as the value that a client receives for it.
    ///
    /// The event has an `id` field if its ID differs from the last event ID. So if a script sends a list of events in
    /// this way, the client gets an equal list.
    ///
    /// - Parameter event: The event or the comment.
    /// - Returns: The step.
    public static func event(_ event: ServerSentEvent) -> Self { Self(.recorded(event)) }

    /// Sends a comment of a stream of server-sent events, such as `keep-alive`.
    ///
    /// - Parameter text: The text, in one line.
    /// - Returns: The step.
    public static func comment(_ text: String) -> Self { Self(.recorded(ServerSentEvent(comment: text))) }

    /// Sends a `retry` field, which asks the client to wait before it connects again.
    ///
    /// - Parameter duration: The time, in whole milliseconds; not negative.
    /// - Returns: The step.
    public static func retry(_ duration: Duration) -> Self { Self(.retry(duration)) }
}

// MARK: Records and bytes

extension ScriptedResponse.BodyStep {
    /// Sends a value as a record of JSON, in the format of the response.
    ///
    /// - Parameters:
    ///   - value: The value.
    ///   - encoder: The encoder. Defaults to a `JSONEncoder` with its default settings.
    /// - Returns: The step.
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
    /// Waits, by the clock of the connector or, in a `ScriptedTransport`, of the call.
    ///
    /// With a ``ManualClock``, the next step follows when the test has advanced the clock. If the client closes the
    /// connection during the pause, the server stops.
    ///
    /// - Parameter duration: The time to wait.
    /// - Returns: The step.
    public static func pause(_ duration: Duration) -> Self { Self(.pause(duration)) }

    /// Closes the connection normally, although the body is not complete; later steps are not performed.
    public static let cut = Self(.end(.close))

    /// Resets the connection, although the body is not complete; later steps are not performed.
    public static let reset = Self(.end(.reset))

    /// Sends nothing more until the client closes the connection; later steps are not performed.
    public static let stall = Self(.end(.stall))
}
