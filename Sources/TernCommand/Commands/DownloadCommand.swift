// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import HTTPTypes
import Tern

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// `tern-cli download`.
struct DownloadCommand: HTTPCommand {
    static let configuration = CommandConfiguration(
        commandName: "download",
        abstract: "Stores the body of a response in a file.",
        discussion: """
            Without --output the file is named after the last part of the URL's path, in the current directory. It \
            appears when it is complete, never in part; a file that exists is replaced only with --force. Any status \
            but 2xx stores nothing and exits with 22. With --json, the result is on standard output.

            What the server compresses is stored decompressed, unless a field Accept-Encoding is given; progress counts \
            what is transferred.

            EXAMPLES
              tern-cli download https://example.com/photos/dog.jpg
              tern-cli download https://example.com/photos/1 -o dog.jpg --force
              tern-cli download --json https://example.com/photos/dog.jpg | jq -r .location
            """
    )
    static let writesBody = false

    @OptionGroup var call: CallOptions

    @Option(name: .shortAndLong, help: ArgumentHelp("Store the body here.", valueName: "file"))
    var output: String?

    @Flag(help: "Replace the file if it exists.")
    var force = false

    func perform(_ delegate: CommandDelegate) async throws -> CallReport {
        let destination = try self.destination()
        let (client, request) = try await self.call.prepare(.get, delegate)
        let progress = ProgressLine(
            .download,
            label: destination.lastPathComponent,
            isQuiet: self.call.quiet || self.call.json
        )
        do {
            let (location, response) = try await client.download(for: request, to: destination, delegate: progress)
            progress.finish(succeeded: response.isSuccess)
            self.call.tellTLS(response)
            return self.report(response, location, progress)
        } catch {
            progress.finish(succeeded: false)
            throw error
        }
    }

    private func report(_ response: Response, _ location: URL, _ progress: ProgressLine) -> CallReport {
        var report = CallReport(response, bytes: progress.byteCount)
        if response.isSuccess {
            System.applyDefaultPermissions(toFile: location.path)
            report.location = location.path
            // The file is longer than what was transferred if that was compressed.
            if let byteCount = System.byteCount(ofFile: location.path), byteCount != progress.byteCount {
                report.bytes = byteCount
                report.encodedBytes = progress.byteCount
            }
        } else {
            try? FileManager.default.removeItem(at: location)
            report.fail(response, if: 0..., "nothing was stored")
        }
        return report
    }

    /// Where the file shall be, if it may be there.
    private func destination() throws -> URL {
        guard let path = self.output ?? FileName.suggested(by: self.call.url) else {
            throw CommandFailure(outcome: .usage, message: "the URL names no file; choose a name with --output")
        }
        switch System.isRegularFile(atPath: path) {
        case false:
            throw CommandFailure(outcome: .fileFailed, message: "\(path) is not a regular file")
        case true where !self.force:
            throw CommandFailure(outcome: .fileFailed, message: "\(path) exists; --force replaces it")
        default:
            return URL(filePath: path)
        }
    }
}

/// Chooses the name of a downloaded file.
enum FileName {
    /// The last component of a URL's path, as the name of a file in the current directory.
    ///
    /// Percent-encoding is undone. What must not be in a name, such as an encoded slash or a control character, becomes
    /// an underscore, so that the file is always in the directory it is meant for.
    ///
    /// - Parameter url: the URL that was asked for.
    /// - Returns: a name; `nil` if the path names no file, as `/` or `/photos/`.
    static func suggested(by url: String) -> String? {
        let path = url.prefix { $0 != "?" && $0 != "#" }
        guard let authority = path.firstRange(of: "://") else { return nil }
        let components = path[authority.upperBound...].split(separator: "/", omittingEmptySubsequences: false)
        guard components.count > 1, let last = components.last else { return nil }
        let name = String(String.UnicodeScalarView(Self.decode(last).unicodeScalars.map(Self.harmless)))
        return name.isEmpty || name == "." || name == ".." ? nil : name
    }

    /// Undoes percent-encoding (RFC 3986 §2.1); a percent sign that begins no byte stays as it is.
    private static func decode(_ text: Substring) -> String {
        var bytes: [UInt8] = []
        var rest = text[...]
        while let first = rest.popFirst() {
            let digits = rest.prefix(2)
            if first == "%", digits.count == 2, digits.allSatisfy(\.isHexDigit), let byte = UInt8(digits, radix: 16) {
                bytes.append(byte)
                rest = rest.dropFirst(2)
            } else {
                bytes.append(contentsOf: first.utf8)
            }
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    private static func harmless(_ scalar: Unicode.Scalar) -> Unicode.Scalar {
        scalar == "/" || scalar.properties.generalCategory == .control ? "_" : scalar
    }
}
