// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import HTTPTypes
import Tern

/// `tern-cli websocket`.
struct WebSocketCommand: CallCommand {
    static let configuration = CommandConfiguration(
        commandName: "websocket",
        abstract: "Exchanges messages over a WebSocket.",
        discussion: """
            Each line of standard input is sent as a text message; each text message that comes is printed on a line. On \
            a terminal one types at a prompt; Ctrl-D closes, Ctrl-C closes with 1001 and exits with 130.

            In a pipe, the end of input closes once the server has been silent for half a second; --wait sets another \
            time, and --limit waits for so many messages. A binary message is announced on standard error only; --binary \
            writes all messages as they are, with nothing between, and sends the whole of standard input as one binary \
            message.

            With --report json each event is a line on standard output: "opened", each "message" and "ping", and at the end \
            "closed" with code, reason, outcome and exit code.

            A refused handshake exits with 22, as does a close by the server with any code but 1000 and 1001.

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

    @Argument(help: ArgumentHelp("A ws or wss URL; without a scheme it is wss, or ws on loopback.", valueName: "url"))
    var typedURL: String

    var url: String { TypedURL(self.typedURL, isWebSocket: true).text }

    @Option(help: ArgumentHelp("Offer this subprotocol; may be repeated, the preferred first.", valueName: "name"))
    var subprotocol: [String] = []

    @Flag(help: "Offer no compression.")
    var noCompression = false

    @Flag(help: "Write messages as they are; send standard input as one binary message.")
    var binary = false

    @Option(help: ArgumentHelp("Close after this many messages came.", valueName: "count"))
    var limit: Int?

    @Option(
        help: ArgumentHelp(
            "After the end of input, close when nothing has come for this time, or forever: not at all; by default 0.5, "
                + "0 on a terminal, and forever with --limit.",
            valueName: "seconds"
        )
    )
    var wait: WaitArgument?

    @Option(
        help: ArgumentHelp("Send a ping at this interval, and tell how long the answer took.", valueName: "seconds")
    )
    var ping: SecondsArgument?

    @Option(
        help: ArgumentHelp("Accept messages up to this length, such as 64M; 16M by default.", valueName: "bytes")
    )
    var maxMessageSize: ByteCountArgument?

    @Option(
        name: [.customShort("m"), .customLong("max-time"), .long],
        help: ArgumentHelp("Give up opening after this time; no limit by default.", valueName: "seconds")
    )
    var timeout: SecondsArgument?

    @OptionGroup var connection: ConnectionOptions

    @Option(help: ArgumentHelp("Tell each event in words, or as one line of JSON: text or json.", valueName: "form"))
    var report = ReportForm.text

    var json: Bool { self.report == .json }

    @Flag(name: .shortAndLong, help: "Say nothing but messages and errors.")
    var quiet = false

    func validate() throws {
        if let limit, limit < 1 { throw ValidationError("--limit takes a number from 1 on.") }
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
                // In a task of its own, which Ctrl-C has not cancelled: the prompt shall be gone.
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

    /// How the WebSocket is to be opened and kept.
    var options: WebSocketOptions {
        var options = WebSocketOptions(subprotocols: self.subprotocol)
        if self.noCompression { options.compression = .disabled }
        if let maxMessageSize { options.maximumMessageByteCount = maxMessageSize.byteCount }
        // Somebody waits for it at the end of input and at Ctrl-C.
        options.pongTimeout = .seconds(5)
        options.closeTimeout = .seconds(2)
        return options
    }

    /// What is to be done on it.
    ///
    /// - Parameter isTerminal: whether one types and sees the answers.
    /// - Returns: the plan, with the defaults that suit a terminal or a pipe.
    func plan(isTerminal: Bool) -> WebSocketSession.Plan {
        var plan = WebSocketSession.Plan(isBinary: self.binary, limit: self.limit, pingInterval: self.ping?.duration)
        if isTerminal { plan.wait = .untilQuiet(.zero) }
        if self.limit != nil { plan.wait = .forever }
        if let wait { plan.wait = wait }
        return plan
    }
}
