// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import HTTPTypes
import Tern
import TernFoundation
import TernTransferQueue

enum TransferPriorityArgument: String, CaseIterable, ExpressibleByArgument, Sendable {
    case low
    case normal
    case high

    var priority: TransferPriority {
        switch self {
        case .low: .low
        case .normal: .normal
        case .high: .high
        }
    }
}

struct TransfersAddCommand: TransferCommand {
    static let configuration = CommandConfiguration(
        commandName: "add",
        abstract: "Adds downloads or uploads to a queue, and prints their numbers.",
        discussion: """
            Sends nothing; 'tern-cli transfers run' does. When a number is printed, the transfer is on the disk.

            A download is stored in the file of --output, or else in the current directory, under the last part of \
            the URL's path. The file appears there when it is complete. With several URLs, each is a download.

            With --upload, the file is sent to the URL by the protocol "Resumable Uploads for HTTP", with PUT unless \
            --method names another method. With --protocol tus, it is sent by tus, which always begins with POST. A \
            server that does not support "Resumable Uploads for HTTP" processes the request like any other. With \
            --protocol tus, the transfer fails if the server does not support tus. The file must not change until it \
            is sent. With several --upload options, each file is an upload to the URL.

            'add' refuses a user name or a password in the URL, and the fields Authorization, Proxy-Authorization and \
            Cookie, because it stores what it gets. Give them to 'tern-cli transfers run'.

            EXAMPLES
              tern-cli transfers add https://example.com/models/large.bin
              tern-cli transfers add https://example.com/photos/1 -o dog.jpg
              tern-cli transfers add https://example.com/photos/{1,2,3}.jpg
              tern-cli transfers add --checksum sha256:9f86d0… https://example.com/a
              tern-cli transfers add https://example.com/videos/1 --upload sea.mp4
              tern-cli transfers add https://example.com/files --upload sea.mp4 \\
                --protocol tus --priority high --label "The sea"
            """
    )

    @Argument(
        help: ArgumentHelp(
            "The http or https URLs. Without a scheme: https, or http on loopback.",
            valueName: "url"
        )
    )
    var urls: [String]

    @OptionGroup var place: TransferDirectoryOptions

    @Option(name: .shortAndLong, help: ArgumentHelp("Store the download in this file.", valueName: "file"))
    var output: String?

    @Flag(help: "Replace an existing file when the download is complete.")
    var force = false

    @Option(
        help: ArgumentHelp(
            "Check the complete download: sha256, sha512, sha1 or md5, a colon, and the digits.",
            valueName: "algorithm:digits"
        )
    )
    var checksum: ChecksumArgument?

    @Option(help: ArgumentHelp("Upload this file to the URL; may be repeated.", valueName: "file"))
    var upload: [String] = []

    @Option(
        name: [.customShort("X"), .customLong("request"), .long],
        help: "With --upload: use this method. The default is PUT."
    )
    var method: MethodArgument?

    @Option(
        name: .customLong("protocol"),
        help: ArgumentHelp("With --upload: the protocol, draft (version 8), draft-6 or tus.", valueName: "name")
    )
    var protocolName: UploadProtocolArgument?

    @Option(help: ArgumentHelp("With --upload: send parts of at most this size.", valueName: "size"))
    var partSize: ByteCountArgument?

    @Flag(help: "With --upload: begin again if the file has changed since the upload began.")
    var restartChanged = false

    @Flag(
        help:
            "With --upload: allow the server to process the file twice, even if the method is not idempotent, like POST."
    )
    var repeatable = false

    @Option(
        name: [.customShort("H"), .long],
        help: ArgumentHelp("Send this field; may be repeated. It is stored on the disk.", valueName: "name: value")
    )
    var header: [String] = []

    @Option(help: ArgumentHelp("Start this transfer before or after others: low, normal or high.", valueName: "name"))
    var priority = TransferPriorityArgument.normal

    @Option(
        help: ArgumentHelp(
            "The name that 'run' shows for the transfer. The default is the name of the file.",
            valueName: "text"
        )
    )
    var label = ""

    @OptionGroup(title: "Reporting") var reporting: TransferReportOptions

    @OptionGroup(visibility: .hidden) var secrets: RefusedSecretOptions

    func validate() throws {
        if !self.upload.isEmpty, self.output != nil || self.force || self.checksum != nil {
            throw ValidationError(
                "--output, --force and --checksum are for downloads, and cannot be used with --upload."
            )
        }
        if !self.upload.isEmpty, self.urls.count > 1 { throw ValidationError("--upload needs exactly one URL.") }
        if self.urls.count > 1, self.output != nil || self.checksum != nil {
            throw ValidationError("--output and --checksum need exactly one URL.")
        }
        let isForUpload =
            self.method != nil || self.protocolName != nil || self.partSize != nil || self.restartChanged
            || self.repeatable
        if self.upload.isEmpty, isForUpload {
            throw ValidationError(
                "--method, --protocol, --part-size, --restart-changed and --repeatable need --upload."
            )
        }
        // Parse the fields here: the argument parser would repeat the text in its message, and the text may contain a
        // secret.
        for (index, text) in self.header.enumerated() where FieldArgument(argument: text)?.value == nil {
            let place = "number \(index + 1)"
            throw ValidationError("Each --header must have the form 'Name: value' or 'Name;'; \(place) does not.")
        }
    }

    func perform() async throws {
        let descriptions = try self.descriptions()
        let queue = try await self.openQueue()
        let output = OutputWriter()
        for description in descriptions {
            let id = try await queue.add(description)
            let line = queue.transfer(id).flatMap { self.reporting.json ? JSONLine.encode(TransferRow($0)) : nil }
            // If the reader of the output is gone, the rest is still added.
            try await output.whileRead { try await output.write(line: line ?? "\(id)") }
        }
    }

    func descriptions() throws(CommandFailure) -> [TransferDescription] {
        var descriptions: [TransferDescription] = []
        for text in self.urls {
            let typed = TypedURL(text)
            if let note = typed.note { self.note(note) }
            guard let url = URL(string: typed.text) else {
                throw CommandFailure(outcome: .invalidRequest, message: "a URL is not valid: \(RedactedURL.text(text))")
            }
            if self.upload.isEmpty { descriptions.append(try self.download(from: url, typed.text)) }
            for file in self.upload { descriptions.append(try self.upload(file, to: url)) }
        }
        return descriptions.map { description in
            var description = description
            for text in self.header {
                guard let field = FieldArgument(argument: text), let value = field.value else { continue }
                description.fields.append(HTTPField(name: field.name, value: value))
            }
            description.priority = self.priority.priority
            description.label = self.label
            return description
        }
    }

    private func download(from url: URL, _ text: String) throws(CommandFailure) -> TransferDescription {
        guard let typed = self.output ?? FileName.suggested(by: text) else {
            throw CommandFailure(outcome: .usage, message: "the URL contains no file name; choose one with --output")
        }
        let path = System.absolutePath(typed)
        switch System.isRegularFile(atPath: path) {
        case false?:
            throw CommandFailure(outcome: .fileFailed, message: "\(typed) is not a regular file")
        case true? where !self.force:
            throw CommandFailure(outcome: .fileFailed, message: "\(typed) exists; use --force to replace it")
        default: break
        }
        let file = URL(filePath: path, directoryHint: .notDirectory)
        guard System.isFolder(atPath: file.deletingLastPathComponent().path) else {
            throw CommandFailure(outcome: .fileFailed, message: "the folder of \(typed) does not exist")
        }
        return .download(from: url, to: file, expecting: self.checksum?.checksum)
    }

    private func upload(_ typed: String, to url: URL) throws(CommandFailure) -> TransferDescription {
        guard typed != "-" else {
            let message = "standard input cannot be stored in a queue; name a file"
            throw CommandFailure(outcome: .usage, message: message)
        }
        let path = System.absolutePath(typed)
        guard System.isRegularFile(atPath: path) == true else {
            let problem = System.isRegularFile(atPath: path) == nil ? "does not exist" : "is not a regular file"
            throw CommandFailure(outcome: .uploadFailed, message: "\(typed) \(problem)")
        }
        let file = URL(filePath: path, directoryHint: .notDirectory)
        let isTus = self.protocolName == .tus
        let name = isTus ? TusOptions.Metadata("filename", file.lastPathComponent.utf8) : nil
        let options = TransferDescription.UploadOptions(
            uploadProtocol: (self.protocolName ?? .draft).uploadProtocol,
            maximumPartByteCount: self.partSize.map { Int64($0.byteCount) },
            restartsChangedFile: self.restartChanged,
            isRepeatable: self.repeatable ? true : nil,
            tus: TusOptions(metadata: name.map { [$0] } ?? [])
        )
        let method = self.method?.method ?? (isTus ? .post : .put)
        return .upload(to: url, fromFile: file, method: method, options: options)
    }
}

/// The options of `run` that contain secrets, declared only so that the message can say where to use them.
struct RefusedSecretOptions: ParsableArguments, Sendable {
    @Option(name: [.customShort("u"), .long]) var user: String?
    @Option(name: [.long, .customLong("oauth2-bearer")]) var bearer: String?
    @Option(name: [.customShort("b"), .long]) var cookie: [String] = []
    @Option(name: [.customShort("c"), .long]) var cookieJar: String?
    @Flag(name: [.customShort("n"), .long]) var netrc = false
    @Option var netrcFile: String?
    @Flag var ask = false

    func validate() throws {
        let names = [
            self.user == nil ? nil : "--user", self.bearer == nil ? nil : "--bearer",
            self.cookie.isEmpty ? nil : "--cookie", self.cookieJar == nil ? nil : "--cookie-jar",
            self.netrc ? "--netrc" : nil, self.netrcFile == nil ? nil : "--netrc-file", self.ask ? "--ask" : nil,
        ]
        guard let name = names.compactMap(\.self).first else { return }
        throw ValidationError("\(name) is not stored in the queue; give it to 'tern-cli transfers run'.")
    }
}
