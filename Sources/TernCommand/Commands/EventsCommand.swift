// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import HTTPTypes
import Tern

struct EventsCommand: HTTPCommand {
    static let configuration = CommandConfiguration(
        commandName: "events",
        abstract: "Prints server-sent events as they arrive.",
        discussion: """
            Reads responses of the type text/event-stream, such as live updates or the answers of language models. \
            The data of each event is written as soon as the event is complete, also to a pipe. A pipe gets only the \
            data, so that jq and similar programs can read it; with --comments, it gets the comments, too. On a \
            terminal, a line 'event: name' precedes the data of each event whose type is not 'message', and control \
            characters are replaced.

            With --report json, each event is a line of JSON on standard output with the names "event" (the type), \
            "data" and "id". With --comments, each comment is a line with the name "comment". With --reconnect, there \
            are also lines with the name "state", whose value is "connected" or "disconnected"; without --report json, \
            the states go to standard error. The JSON result is the last line on standard error.

            Without --until-data and --until-event, the stream may end after any event. With one of them, a response \
            that ends before the final event is a failure.

            The exit code is 18 if the response ends too early. It is 22 if the status is not 2xx or the type is not \
            text/event-stream; standard error then gets the beginning of the body if it is JSON or plain text, except \
            with --fail.

            EXAMPLES
              tern-cli events https://example.com/photos/updates
              tern-cli events --limit 5 https://example.com/photos/updates | jq .photo
              tern-cli events --reconnect --last-event-id 17 https://example.com/updates
              tern-cli events --report json https://example.com/updates | jq -r .event
              tern-cli events --json @question.json --until-data '[DONE]' \\
                --bearer "$TOKEN" https://example.com/v1/chat/completions
            """
    )

    @OptionGroup var call: CallOptions

    @OptionGroup var connection: ConnectionOptions

    @OptionGroup(title: "Events") var events: EventOptions

    @OptionGroup(title: "Sending") var content: ContentOptions

    @OptionGroup var failing: FailOptions

    func perform(_ delegate: CommandDelegate) async throws -> CallReport {
        let (client, request) = try await self.prepare(delegate)
        let session = EventSession(
            options: self.events,
            display: self.display(on: OutputWriter(), isTerminal: System.isTerminal(System.standardOutput)),
            check: { byteCount throws(CommandFailure) in try self.call.checkLength(byteCount) },
            onResponse: { self.printTLSFacts($0) }
        )
        return self.judged(try await session.run(request, by: client))
    }

    func display(on output: OutputWriter, isTerminal: Bool) -> EventDisplay {
        EventDisplay(
            format: self.json ? .json : isTerminal ? .terminal : .data,
            output: output,
            showsStates: self.events.reconnect,
            isQuiet: self.call.isQuiet
        )
    }

    func prepare(_ delegate: CommandDelegate) async throws(CommandFailure) -> (client: Client, request: Request) {
        var (client, request) = try await self.prepare(.get, self.content, delegate)
        // `--json` adds an `Accept` field for JSON, as in curl. Remove it, so that the client adds the field for
        // events.
        let isJSON = self.content.items.contains { $0.kind == .json }
        if isJSON, try !self.connection.fields().contains(where: { $0.name == .accept }) {
            request.fields[.accept] = nil
        }
        return (client, request)
    }

    /// Returns the report without the parts that the user does not want.
    func judged(_ report: CallReport) -> CallReport {
        var report = report
        if self.failing.fail { report.body = nil }
        if self.call.isQuiet, report.outcome == .ok { report.message = nil }
        return report
    }
}
