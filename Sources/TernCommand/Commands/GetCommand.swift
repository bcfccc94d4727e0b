// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import HTTPTypes
import Tern
import TernFoundation

struct GetCommand: HTTPCommand {
    static let configuration = CommandConfiguration(
        commandName: "get",
        abstract: "Sends a request and prints the body of the response as it arrives.",
        discussion: """
            Takes the options of curl; see 'tern-cli --help' for the differences. The body goes to standard output as \
            it arrives. It is decompressed, but otherwise unchanged, even on a terminal. It may have any length. A \
            file of --output or --remote-name gets the bytes as they arrive, unless you give --compressed. \
            Without --fail or --fail-with-body, a status of 400 or more is not a failure. With --report json, the \
            result follows on standard error. With --include, control characters in header fields are replaced if \
            the output is a terminal.

            \(ContentOptions.help)

            SEVERAL URLS
            The transfers are made in the order of the URLs, or at the same time with --parallel. The first --output or \
            --remote-name is for the first URL, and so on. All other options are for all URLs, or for those up to \
            --next. The exit code is that of the last transfer, or with --parallel that of the last one that failed.

            PATTERNS
            A URL may have patterns, and stands for all their combinations: [1-9], [01-31:2] with a step, [a-f] and \
            {one,two}. In the file of --output, #1 is the value of the first pattern. --globoff turns this off.

            CONFIGURATION FILES (-K)
            Each line has an option with its value. The name may have its dashes, or be followed by a colon or an \
            equals sign. A value with spaces is in double quotes, in which \\t, \\n, \\r, \\v, \\" and \\\\ are escapes. \
            A line that begins with #, / or * is a comment.

            WRITING (-w)
            \(Self.variables)

            EXAMPLES
              tern-cli example.com/photos/1
              tern-cli -I example.com/photos/1
              tern-cli -d name=Biscuit -d age=3 https://example.com/dogs
              tern-cli --json '{"name":"Biscuit"}' https://example.com/dogs
              tern-cli -F photo=@dog.jpg -F title=Biscuit https://example.com/photos
              tern-cli -T dog.jpg https://example.com/photos/2
              tern-cli -u anna https://example.com/albums
              tern-cli -C - -O --retry 5 https://example.com/photos.zip
              tern-cli -o 'dog-#1.jpg' 'https://example.com/photos/[1-20].jpg'
              tern-cli -Z --remote-name-all https://example.com/{a,b}.jpg
              tern-cli https://example.com/a --next -d name=Biscuit https://example.com/b
              tern-cli -K downloads.txt
              tern-cli -x socks5://127.0.0.1:1080 --no-location -i https://example.com
              tern-cli -so /dev/null -w '%{http_code} %{time_total}\\n' example.com
              tern-cli -f -m 5 https://example.com/health || echo "down"
              tern-cli --unix-socket /var/run/docker.sock http://localhost/containers/json
              tern-cli --tls-info --cacert company.pem https://intranet.example
              tern-cli --cache ~/.cache/tern -i https://example.com/albums
            """
    )

    private static var variables: String {
        var lines = ["%header{name} for a field of the response, %%, \\n, \\r, \\t, and %{name} for these names:"]
        var line = " "
        for name in WriteOutFacts.names.sorted() {
            if line.count + name.count > 78 {
                lines.append(line)
                line = " "
            }
            line += " \(name)"
        }
        return (lines + [line]).joined(separator: "\n")
    }

    @OptionGroup var call: CallOptions

    @OptionGroup var connection: ConnectionOptions

    @OptionGroup(title: "Sending") var content: ContentOptions

    @Option(
        name: [.customShort("T"), .customLong("upload-file")],
        help: ArgumentHelp(
            "Send this file with PUT; - is standard input. The file's name is appended to a URL that ends with /.",
            valueName: "file"
        )
    )
    var typedUploadFile: String?

    /// As in curl, an empty text names no file.
    var uploadFile: String? { self.typedUploadFile.flatMap { $0.isEmpty ? nil : $0 } }

    @OptionGroup(title: "Response body") var body: BodyOptions

    @Flag(name: [.customShort("I"), .long], help: "Send a HEAD request, and print the head of the response.")
    var head = false

    @OptionGroup var output: OutputOptions

    @OptionGroup(title: "Several URLs") var transfers: TransferOptions

    var keepsHeads: Bool { self.body.include || self.head || self.output.dumpHeader != nil }

    func validate() throws {
        if self.uploadFile != nil, !self.content.items.isEmpty {
            throw ValidationError("--upload-file cannot be used with --data, --json or --form.")
        }
        if self.head, self.content.hasBody || self.uploadFile != nil {
            throw ValidationError("--head sends no body; remove the body, or add --get to put --data into the URL.")
        }
        if self.uploadFile != nil, self.output.continueAt != nil {
            throw ValidationError("--continue-at continues downloads, and cannot be combined with --upload-file.")
        }
        if self.output.continueAt != nil, self.call.range != nil {
            throw ValidationError("--continue-at and --range cannot be combined.")
        }
        let url = self.call.url.lowercased()
        if url.hasPrefix("ws://") || url.hasPrefix("wss://") {
            throw ValidationError("Use 'tern-cli websocket' to open a WebSocket.")
        }
    }

    func perform(_ delegate: CommandDelegate) async throws -> CallReport {
        let path = try self.output.path(for: self.url)
        let offset = self.output.offset(of: path)
        let method: HTTPRequest.Method = self.head ? .head : self.uploadFile == nil ? .get : .put
        var (client, request) = try await self.prepare(method, self.content, delegate)
        request = try self.uploading(request)
        // A file gets the bytes as the server sends them, as with curl. So a `.tar.gz` stays one, even if the server
        // calls its compression a content coding.
        if path != nil, !self.call.compressed { request.options.decodesContent = false }
        if let offset, offset > 0 { request = request.header(.range, "bytes=\(offset)-") }
        let progress = self.progress(path, delegate.place)
        if let progress { delegate.follow(progress) }
        do {
            let (bytes, response) = try await client.bytes(for: request, delegate: progress)
            self.printTLSFacts(response)
            let report = try await self.store(bytes, response, at: path, from: offset, delegate)
            progress?.finish(succeeded: report.outcome == .ok)
            return report
        } catch {
            progress?.finish(succeeded: false)
            throw error
        }
    }

    // MARK: Sending

    private func uploading(_ request: Request) throws(CommandFailure) -> Request {
        guard let uploadFile else { return request }
        var request = request
        if uploadFile == "-" {
            request.body = .stream(StandardInput())
        } else {
            try SystemInput().check(uploadFile)
            let file = URL(filePath: uploadFile)
            request.body = .file(file)
            if request.url.path(percentEncoded: true).hasSuffix("/") {
                let text = request.url.absoluteString
                let end = text.firstIndex { $0 == "?" || $0 == "#" } ?? text.endIndex
                let name = String(decoding: FormText.encode(file.lastPathComponent.utf8), as: UTF8.self)
                request.url = Request(.put, "\(text[..<end])\(name.replacing("+", with: "%20"))\(text[end...])").url
            }
        }
        return request
    }

    private func progress(_ path: String?, _ place: CallPlace) -> ProgressLine? {
        guard path != nil || self.uploadFile != nil else { return nil }
        let name = path ?? self.uploadFile ?? ""
        let label = name == "-" ? "standard input" : URL(filePath: name).lastPathComponent
        let direction: ProgressLine.Direction = self.uploadFile == nil ? .download : .upload
        return ProgressLine(direction, label: label, isQuiet: self.call.isQuiet || self.call.json || place.isParallel)
    }

    // MARK: Receiving

    private func store(
        _ bytes: ResponseBytes,
        _ response: Response,
        at path: String?,
        from offset: Int64?,
        _ delegate: CommandDelegate
    ) async throws -> CallReport {
        let heads = response.cacheStatus == .network ? delegate.trace?.heads.joined() : response.head
        try await self.dump(heads ?? response.head, isOneOfSeveral: delegate.place.isOneOfSeveral)
        let shown = self.body.include || self.head ? heads : nil
        guard self.meetsCondition(response) else {
            return try await self.body.print(bytes, response, heads: shown, dropsBody: true)
        }
        guard let path, !self.body.failing.hidesBody(of: response) else {
            return try await self.body.print(bytes, response, heads: shown, check: self.call.checkLength)
        }
        let mode = try Self.mode(response.statusCode, response[.contentRange], from: offset)
        guard let mode else { return try self.unstored(response, at: path, offset) }
        if mode == .replace, let offset, offset > 0, !self.call.isQuiet, !self.call.json {
            System.tell(TerminalText.note("the server sends the whole body, so \(path) is written from the beginning"))
        }
        let (place, replaces) = self.output.path(path, for: response)
        let descriptor = try self.output.open(place, mode == .replace && !replaces ? .create : mode)
        defer { System.close(descriptor) }
        var report = try await self.body.print(
            bytes,
            response,
            heads: shown,
            on: descriptor,
            check: self.call.checkLength
        )
        report.location = place
        if self.output.remoteTime, !self.output.setTime(of: descriptor, to: response), !self.call.isQuiet {
            System.tell(TerminalText.note("the time of \(place) could not be set"))
        }
        return report
    }

    /// Returns `false` for a 304, and if the condition of `--time-cond` is not met, so that a file stays as it is.
    private func meetsCondition(_ response: Response) -> Bool {
        response.statusCode != 304 && (self.call.range != nil || self.call.meetsTimeCondition(response))
    }

    /// Returns the mode in which to open the file, or `nil` if the file must not change; `Content-Range` decides, because some
    /// servers answer with 200 and a part.
    static func mode(
        _ status: Int,
        _ contentRange: String?,
        from offset: Int64?
    ) throws(CommandFailure) -> System.WritingMode? {
        guard let offset, offset > 0 else { return .replace }
        guard status == 200 || status == 206 else { return nil }
        let range = contentRange.flatMap { ContentRange($0) }
        if range?.start == offset { return .append }
        // Only a range of bytes says something about the body of a 200.
        let isRange = contentRange?.lowercased().hasPrefix("bytes") ?? false
        if status == 200, !isRange || range?.isWhole == true { return .replace }
        throw CommandFailure(
            outcome: .protocolViolation,
            message: "the server sent a different part of the body than requested; the file was not changed"
        )
    }

    private func unstored(_ response: Response, at path: String, _ offset: Int64?) throws -> CallReport {
        var report = CallReport(response, bytes: 0)
        let total = response[.contentRange].flatMap { ContentRange.total(ofUnsatisfied: $0) }
        if response.statusCode == 416, total == offset {
            report.location = path
            if !self.call.isQuiet, !self.call.json { System.tell(TerminalText.note("\(path) is already complete")) }
        } else {
            report.fail(response, if: 0..., "\(path) was not changed")
        }
        return report
    }

    /// Writes heads to the file of `--dump-header`, to which all calls of a plan add theirs.
    private func dump(_ heads: String, isOneOfSeveral: Bool) async throws {
        guard let dumpHeader = self.output.dumpHeader else { return }
        let isOutput = dumpHeader == "-"
        let mode: System.WritingMode = isOneOfSeveral ? .append : .replace
        let descriptor = isOutput ? System.standardOutput : try self.output.open(dumpHeader, mode)
        defer { if !isOutput { System.close(descriptor) } }
        let writer = OutputWriter(descriptor: descriptor)
        try await writer.whileRead { try await writer.write(TerminalText.shown(heads, on: descriptor).utf8) }
    }
}
