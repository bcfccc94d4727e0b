// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import HTTPTypes
import Tern

struct WebSocketCommand: CallCommand {
    static let configuration = CommandConfiguration(
        commandName: "websocket",
        abstract: "Exchanges messages over a WebSocket.",
        discussion: """
            Each line of standard input is sent as a text message, and each received text message is printed on a \
            line. On a terminal you type at a prompt; Ctrl-D closes, and Ctrl-C closes with 1001 and exits with 130.

            In a pipe, the WebSocket is closed after the end of input, once the server has been silent for half a \
            second; --wait sets another time, and --limit waits for a number of messages. Binary messages are only \
            announced, on standard error. With --binary, all messages are written unchanged with nothing between them, \
            and all of standard input is sent as one binary message.

            With --report json each event is a line on standard output: "opened", each "message" and "ping", and \
            finally "closed" with code, reason, outcome and exit code.

            The exit code is 22 if the handshake is refused, or if the server closes with a code other than 1000 and \
            1001.

            EXAMPLES
              tern-cli websocket wss://example.com/chat
              echo hello | tern-cli websocket --limit 1 wss://example.com/echo
              tern-cli websocket --wait forever wss://example.com/news </dev/null
              tern-cli websocket --report json --bearer "$TOKEN" wss://example.com/chat
              tern-cli websocket --binary --limit 1 wss://example.com/shrink <dog.jpg >s.jpg
              tern-cli websocket --ping 5 --subprotocol chat.v2 wss://example.com/chat
            """,
        aliases: ["ws"]
    )
    static let writesBody = false

    @Argument(help: ArgumentHelp("A ws or wss URL. Without a scheme: wss, or ws on loopback.", valueName: "url"))
    var typedURL: String

    var url: String { TypedURL(self.typedURL, isWebSocket: true).text }

    @Option(help: ArgumentHelp("Offer this subprotocol; may be repeated, preferred one first.", valueName: "name"))
    var subprotocol: [String] = []

    @Flag(help: "Do not offer compression.")
    var noCompression = false

    @Flag(help: "Write messages unchanged; send standard input as one binary message.")
    var binary = false

    @Option(help: ArgumentHelp("Close after receiving this many messages.", valueName: "count"))
    var limit: Int?

    @Option(
        help: ArgumentHelp(
            "After the end of input, close when nothing has arrived for this long; 'forever' waits for the server. "
                + "The default is 0.5, but 0 on a terminal, and forever with --limit.",
            valueName: "seconds"
        )
    )
    var wait: WaitArgument?

    @Option(
        help: ArgumentHelp("Send a ping at this interval, and report the time until the answer.", valueName: "seconds")
    )
    var ping: SecondsArgument?

    @Option(
        help: ArgumentHelp("Accept messages up to this length, such as 64M. The default is 16M.", valueName: "bytes")
    )
    var maxMessageSize: ByteCountArgument?

    @Option(
        name: [.customShort("m"), .customLong("max-time"), .long],
        help: ArgumentHelp("Limit the time until the WebSocket is open. No limit by default.", valueName: "seconds")
    )
    var timeout: SecondsArgument?

    @OptionGroup var connection: ConnectionOptions

    @Option(help: ArgumentHelp("Report each event as text or as one line of JSON: text or json.", valueName: "form"))
    var report = ReportForm.text

    var json: Bool { self.report == .json }

    @Flag(name: .shortAndLong, help: "Print only messages and errors.")
    var quiet = false

    func validate() throws {
        if let limit, limit < 1 { throw ValidationError("--limit must be 1 or more.") }
    }

    func perform(_ delegate: CommandDelegate) async throws -> CallReport {
        let output = OutputWriter()
        let isTerminal = System.isTerminal(System.standardInput) && System.isTerminal(System.standardOutput)
        let prompt = isTerminal && !self.json && !self.binary ? Prompt(output) : nil
        let format: WebSocketDisplay.Format =
            if let prompt { .prompt(prompt) } else { self.json ? .json : self.binary ? .raw : .lines }
        var report = CallReport()
        if let note = TypedURL(self.typedURL, isWebSocket: true).note, !self.quiet, !self.json {
            System.tell(TerminalText.note(note))
        }
        do {
            let (client, request) = try await self.connection
                .prepare(.get, self.url, timeout: self.timeout, delegate)
            let socket = try await client.webSocket(for: request, options: self.options)
            let display = WebSocketDisplay(format: format, output: output, isQuiet: self.quiet)
            let session = WebSocketSession(socket, display, self.plan(isTerminal: isTerminal))
            prompt?.begin()
            let failure = await Self.failure { try await output.whileRead { try await session.run() } }
            if let prompt {
                prompt.end()
                // Wait in another task: Ctrl-C may have cancelled this one, but the text that removes the prompt must
                // be written.
                await Task { try? await output.finish() }.value
            }
            report = CallReport(WebSocketClosing(socket), failure)
        } catch ClientError.invalidRequest(.unsupportedScheme, _) {
            let message = "the URL must begin with ws:// or wss://"
            report = CallReport(CommandFailure(outcome: .invalidRequest, message: message))
            report.closing = WebSocketClosing()
        } catch {
            report = CallReport(error)
            report.closing = WebSocketClosing()
        }
        if self.quiet, report.outcome == .ok { report.message = nil }
        return report
    }

    private static func failure(of body: () async throws -> Void) async -> (any Error)? {
        do {
            try await body()
            return nil
        } catch {
            return error
        }
    }

    var options: WebSocketOptions {
        var options = WebSocketOptions(subprotocols: self.subprotocol)
        if self.noCompression { options.compression = .disabled }
        if let maxMessageSize { options.maximumMessageByteCount = maxMessageSize.byteCount }
        // Keep these times short: at the end of the input and at Ctrl-C, the user waits for the pong and the close.
        options.pongTimeout = .seconds(5)
        options.closeTimeout = .seconds(2)
        return options
    }

    /// Returns the options of the session, with the defaults for a terminal or a pipe.
    func plan(isTerminal: Bool) -> WebSocketSession.Plan {
        var plan = WebSocketSession.Plan(isBinary: self.binary, limit: self.limit, pingInterval: self.ping?.duration)
        if isTerminal { plan.wait = .untilQuiet(.zero) }
        if self.limit != nil { plan.wait = .forever }
        if let wait { plan.wait = wait }
        return plan
    }
}
