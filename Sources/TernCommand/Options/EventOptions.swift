// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import Tern

struct EventOptions: ParsableArguments, Sendable {
    @Option(help: ArgumentHelp("Stop after this many events.", valueName: "count"))
    var limit: Int?

    @Option(
        help: ArgumentHelp(
            "Stop at an event whose data is exactly this text, such as '[DONE]', and do not print it. May be repeated.",
            valueName: "text"
        )
    )
    var untilData: [String] = []

    @Option(
        help: ArgumentHelp("Stop at an event of this type, and print it. May be repeated.", valueName: "name")
    )
    var untilEvent: [String] = []

    @Flag(
        help: ArgumentHelp(
            "When the response ends or breaks off, connect again and continue after the last event, until a final "
                + "event, a 204, a refusal or Ctrl-C. The server may set the delay. A POST is sent again only if the "
                + "server has not acted on it."
        )
    )
    var reconnect = false

    @Option(
        name: .customLong("last-event-id"),
        help: ArgumentHelp("Continue after the event with this ID: send it as Last-Event-ID.", valueName: "id")
    )
    var lastEventID: String?

    @Flag(help: "Print comments, too, as lines that begin with a colon.")
    var comments = false

    @Option(
        help: ArgumentHelp("Accept events up to this length, such as 64M. The default is 16M.", valueName: "bytes")
    )
    var maxEventSize: ByteCountArgument?

    func validate() throws {
        if let limit, limit < 1 { throw ValidationError("--limit must be 1 or more.") }
        if self.lastEventID?.unicodeScalars.contains(where: { $0.properties.generalCategory == .control }) == true {
            throw ValidationError("--last-event-id must not contain control characters.")
        }
    }

    var finalEvent: FinalEvent? {
        guard !self.untilData.isEmpty || !self.untilEvent.isEmpty else { return nil }
        return FinalEvent(isDelivered: true) { [untilData, untilEvent] event, endsWithinLine in
            untilData.contains(event.data) || !endsWithinLine && untilEvent.contains(event.event)
        }
    }

    /// An event that only `--until-data` recognizes marks the end, and is not printed.
    func isShown(_ event: ServerSentEvent) -> Bool {
        event.comment != nil || self.untilEvent.contains(event.event) || !self.untilData.contains(event.data)
    }

    var policy: EventReconnectionPolicy {
        self.reconnect ? EventReconnectionPolicy() : EventReconnectionPolicy(isFinal: { _ in true })
    }

    var streamOptions: EventStreamOptions {
        guard let maxEventSize else { return EventStreamOptions(includesComments: self.comments) }
        return EventStreamOptions(maximumEventByteCount: maxEventSize.byteCount, includesComments: self.comments)
    }
}
