// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import HTTPTypes
import Tern
import TernFoundation

struct ContentOptions: ParsableArguments, Sendable {
    /// Help that the parser cannot generate, because it sees only the hidden option into which these options are rewritten.
    static let help = """
        SENDING (the method is POST unless -X names another)
          -d, --data <text>        Send this as a form; several are joined with &.
                                   @file sends a file without its line breaks, @-
                                   sends standard input.
          --data-raw <text>        Like --data, but @ has no special meaning.
          --data-binary <text>     Like --data, but @file is sent unchanged.
          --data-urlencode <text>  Like --data, but encoded: text, name=text, @file or
                                   name@file.
          --json <text>            Send JSON, with Content-Type and Accept; @file
                                   sends a file.
          -F, --form <name=value>  Send a part of a form (multipart/form-data):
                                   name=value, name=@file to upload a file, name=<file
                                   for its content as a value. May be followed by
                                   ;type= and ;filename=. The file name determines
                                   the type.
          --form-string <name=value>
                                   Like --form, but @, < and ; have no special meaning.
        """

    @Option(name: .customLong(CommandArguments.contentOption), help: .hidden)
    var items: [ContentArgument] = []

    @Flag(name: [.customShort("G"), .customLong("get")], help: "Put the data of -d and similar options into the URL.")
    var sendsInURL = false

    @Option(
        name: .customLong("url-query"),
        help: ArgumentHelp(
            "Add this to the query of the URL, encoded: text, name=text, @file or name@file; +text is not encoded. May "
                + "be repeated.",
            valueName: "text"
        )
    )
    var query: [String] = []

    func validate() throws {
        let formCount = self.items.count { $0.kind == .form || $0.kind == .formString }
        if formCount > 0, formCount < self.items.count {
            throw ValidationError("--form cannot be used with --data or --json.")
        }
        if self.sendsInURL, formCount > 0 { throw ValidationError("--get cannot be used with --form.") }
        do throws(CommandFailure) {
            for item in self.items { try Self.check(item) }
        } catch {
            throw ValidationError(error.message)
        }
    }

    var hasBody: Bool { !self.items.isEmpty && !self.sendsInURL }

    private static func check(_ item: ContentArgument) throws(CommandFailure) {
        switch item.kind {
        case .form: _ = try FormArgument(item.text)
        case .formString: _ = try FormArgument.split(item.text)
        default: break
        }
    }

    func applied(to request: Request, _ input: some ContentInput) async throws(CommandFailure) -> Request {
        var request = Self.adding(try await self.queryBytes(input), toQueryOf: request)
        guard !self.items.isEmpty else { return request }
        if self.items.contains(where: { $0.kind == .form || $0.kind == .formString }) {
            return request.body(multipart: try await self.multipart(input))
        }
        let isJSON = self.items.contains { $0.kind == .json }
        let type = isJSON ? "application/json" : "application/x-www-form-urlencoded"
        if self.items.count == 1, let item = self.items.first, item.kind == .binary || item.kind == .json,
            !self.sendsInURL, case .file(let path) = ContentSource(item.text), path != "-"
        {
            // Only check the file here. It may have any length, so the client reads it while it sends the body.
            try input.check(path)
            request.body = .file(URL(filePath: path), contentType: type)
        } else {
            let bytes = try await self.bytes(input)
            guard !self.sendsInURL else { return Self.adding(bytes, toQueryOf: request) }
            request.body = .data(Data(bytes), contentType: type)
        }
        if isJSON, !request.fields.contains(.accept) { request.fields[.accept] = "application/json" }
        return request
    }

    /// Joins parts of a form with `&`, pieces of JSON without a separator.
    private func bytes(_ input: some ContentInput) async throws(CommandFailure) -> [UInt8] {
        var bytes: [UInt8] = []
        for (index, item) in self.items.enumerated() {
            if index > 0, item.kind != .json { bytes.append(UInt8(ascii: "&")) }
            switch item.kind {
            case .data:
                let content = try await Self.read(ContentSource(item.text), input)
                // curl's manual says about a file: "carriage returns, newlines and null bytes are stripped out".
                let isFile = ContentSource(item.text) != .text(item.text)
                bytes += isFile ? content.filter { $0 != 13 && $0 != 10 && $0 != 0 } : content
            case .binary, .json:
                bytes += try await Self.read(ContentSource(item.text), input)
            case .urlEncode:
                let argument = EncodedArgument(item.text)
                bytes += argument.encoded(try await Self.read(argument.source, input))
            case .raw, .form, .formString:
                bytes += Array(item.text.utf8)
            }
        }
        return bytes
    }

    private func queryBytes(_ input: some ContentInput) async throws(CommandFailure) -> [UInt8] {
        var parts: [[UInt8]] = []
        for text in self.query where !text.isEmpty {
            if text.unicodeScalars.first == "+" {
                parts.append(Array(text.utf8.dropFirst()))
            } else {
                let argument = EncodedArgument(text)
                parts.append(argument.encoded(try await Self.read(argument.source, input)))
            }
        }
        return Array(parts.joined(separator: [UInt8(ascii: "&")]))
    }

    private static func read(
        _ source: ContentSource,
        _ input: some ContentInput
    ) async throws(CommandFailure) -> [UInt8] {
        switch source {
        case .text(let text): Array(text.utf8)
        case .file(let path): try await input.read(path)
        }
    }

    private static func adding(_ bytes: [UInt8], toQueryOf request: Request) -> Request {
        guard !bytes.isEmpty else { return request }
        let text = request.url.absoluteString
        let fragment = text.firstIndex(of: "#") ?? text.endIndex
        let query = String(decoding: bytes, as: UTF8.self)
        let mark = text[..<fragment].contains("?") ? "&" : "?"
        var changed = request
        let url = Request(request.method, "\(text[..<fragment])\(mark)\(query)")
        changed.url = url.url
        return url.problem == nil ? changed : request
    }

    private func multipart(_ input: some ContentInput) async throws(CommandFailure) -> Multipart {
        var multipart = Multipart()
        for item in self.items {
            if item.kind == .formString {
                let (name, value) = try FormArgument.split(item.text)
                multipart = multipart.field(name, String(value))
            } else {
                multipart = multipart.part(try await Self.part(try FormArgument(item.text), input))
            }
        }
        return multipart
    }

    private static func part(
        _ argument: FormArgument,
        _ input: some ContentInput
    ) async throws(CommandFailure) -> Multipart.Part {
        switch argument.content {
        case .text(let text):
            return .init(
                name: argument.name,
                data: Data(text.utf8),
                filename: argument.filename,
                contentType: argument.type
            )
        case .textOfFile(let path):
            return .init(
                name: argument.name,
                data: Data(try await input.read(path)),
                filename: argument.filename,
                contentType: argument.type
            )
        case .file("-"):
            return .init(
                name: argument.name,
                data: Data(try await input.read("-")),
                filename: argument.filename ?? "-",
                contentType: argument.type ?? FileType.of(file: argument.filename ?? "-")
            )
        case .file(let path):
            try input.check(path)
            let file = URL(filePath: path)
            return .init(
                name: argument.name,
                file: file,
                filename: argument.filename,
                contentType: argument.type ?? FileType.of(file: argument.filename ?? file.lastPathComponent)
            )
        }
    }
}

protocol ContentInput: Sendable {
    /// Returns the bytes of a file, or of standard input for `-`.
    func read(_ path: String) async throws(CommandFailure) -> [UInt8]

    /// Checks that a path is that of a regular file, which the client opens later.
    func check(_ path: String) throws(CommandFailure)
}

struct SystemInput: ContentInput {
    func read(_ path: String) async throws(CommandFailure) -> [UInt8] {
        if path == "-" { return try await Self.readStandardInput() }
        return Array(try System.contents(ofFile: path, else: .uploadFailed))
    }

    func check(_ path: String) throws(CommandFailure) {
        guard System.isRegularFile(atPath: path) == true else {
            throw Self.failure("\(path) does not exist or is not a regular file, so it")
        }
    }

    private static func readStandardInput() async throws(CommandFailure) -> [UInt8] {
        var bytes: [UInt8] = []
        do {
            for try await piece in StandardInput() { bytes += piece }
        } catch {
            throw Self.failure("standard input")
        }
        return bytes
    }

    private static func failure(_ path: String) -> CommandFailure {
        CommandFailure(outcome: .uploadFailed, message: "\(path) cannot be read")
    }
}
