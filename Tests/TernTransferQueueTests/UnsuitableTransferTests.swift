// SPDX-License-Identifier: Apache-2.0
import HTTPTypes
import Tern
import TernErrors
import TernFoundation
@testable import TernTransferQueue
import Testing

@Suite("A description that the queue refuses")
struct UnsuitableTransferTests {
    private func download(_ url: String, to file: URL = QueueSamples.file) throws -> TransferDescription {
        .download(from: try #require(URL(string: url)), to: file)
    }

    @Test func `the samples are suitable`() {
        for transfer in QueueSamples.all { #expect(UnsuitableTransfer(transfer.description) == nil) }
    }

    @Test(
        arguments: [
            ("ftp://test/a", .url(.unsupportedScheme("ftp"))), ("/a", .url(.relativeURL)),
            ("http://user@test/a", .userInformation), ("http://user:secret@test/a", .userInformation),
        ] as [(String, UnsuitableTransfer)]
    )
    func `the URL must be one of HTTP, without user name and password`(
        _ url: String,
        _ reason: UnsuitableTransfer
    ) throws {
        #expect(UnsuitableTransfer(try self.download(url)) == reason)
    }

    @Test(arguments: [.authorization, .proxyAuthorization, .cookie] as [HTTPField.Name])
    func `fields with secrets must not be stored`(_ name: HTTPField.Name) throws {
        var description = try self.download("http://test/a")
        description.fields[name] = "secret"
        #expect(UnsuitableTransfer(description) == .secretField(name: name.rawName))
    }

    @Test func `a field that must not be indexed is a secret`() throws {
        var description = try self.download("http://test/a")
        var field = HTTPField(name: .accept, value: "secret")
        field.indexingStrategy = .disallow
        description.fields.append(field)
        #expect(UnsuitableTransfer(description) == .secretField(name: "Accept"))
    }

    @Test(arguments: [.range, .ifRange] as [HTTPField.Name])
    func `a download sets its range itself`(_ name: HTTPField.Name) throws {
        var description = try self.download("http://test/a")
        description.fields[name] = "x"
        #expect(UnsuitableTransfer(description) == .reservedField(name: name.rawName))
    }

    @Test(arguments: [.get, .head, .trace, .connect] as [HTTPRequest.Method])
    func `the method of an upload must allow a body`(_ method: HTTPRequest.Method) {
        let description = TransferDescription.upload(to: QueueSamples.url, fromFile: QueueSamples.file, method: method)
        #expect(UnsuitableTransfer(description) == .method(method.rawValue))
    }

    @Test(arguments: ["http://test/file", "file:///", "relative"])
    func `the file must be at an absolute file URL`(_ location: String) throws {
        let file = try #require(URL(string: location))
        #expect(UnsuitableTransfer(try self.download("http://test/a", to: file)) == .notAFileURL)
    }

    @Test func `a label has a limit`() throws {
        var description = try self.download("http://test/a")
        description.label = String(repeating: "a", count: 1024)
        #expect(UnsuitableTransfer(description) == nil)
        description.label += "a"
        #expect(UnsuitableTransfer(description) == .tooLong)
    }

    @Test func `no text shows a query or a field`() {
        var text = ""
        dump(QueueSamples.download, to: &text)
        text += "\(QueueSamples.download)"
        #expect(!text.contains("version=2"))
        #expect(!text.contains("octet-stream"))
        #expect("\(QueueSamples.download)" == "GET https://example.com:8443/files/model.bin")
    }
}
