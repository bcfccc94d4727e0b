// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import HTTPTypes
import Tern
import Testing

@testable import TernCommand

@Suite("What is typed")
struct ArgumentTests {
    static let fields: [(text: String, value: String)] = [
        ("X-Dog: Biscuit", "Biscuit"), ("X-Dog:Biscuit", "Biscuit"), ("x-dog: \t a: b \t", "a: b"), ("X-Dog;", ""),
    ]

    @Test(arguments: fields)
    func `a field is a name, a colon and a value`(text: String, value: String) throws {
        let field = try #require(FieldArgument(argument: text))
        #expect(field.name == HTTPField.Name("X-Dog"))
        #expect(field.value == value)
    }

    @Test(arguments: ["X-Dog:", "X-Dog: ", "x-dog:\t"])
    func `a field without a value is one that is not sent`(text: String) {
        #expect(FieldArgument(argument: text) == HTTPField.Name("X-Dog").map { FieldArgument($0, nil) })
    }

    @Test(arguments: ["", "X-Dog", ": Biscuit", "X Dog: Biscuit", "X-Dog : Biscuit", "X-Dög: Biscuit", "X\n: a"])
    func `what is no field is refused`(text: String) {
        #expect(FieldArgument(argument: text) == nil)
    }

    @Test func `a method is a token, and keeps its case`() {
        #expect(MethodArgument(argument: "PURGE")?.method.rawValue == "PURGE")
        #expect(MethodArgument(argument: "get")?.method.rawValue == "get")
        #expect(MethodArgument(argument: "GET /") == nil)
        #expect(MethodArgument(argument: "") == nil)
    }

    @Test func `a time is a number of seconds above zero`() {
        #expect(SecondsArgument(argument: "2.5")?.duration == .seconds(2.5))
        for text in ["0", "-1", "nan", "inf", "1e10", "2s", ""] {
            #expect(SecondsArgument(argument: text) == nil, "\(text)")
        }
    }

    @Test func `options become a request and a client`() throws {
        let command = try GetCommand.parse([
            "-H", "Accept: text/x", "-H", "accept: text/y", "-X", "DELETE", "--timeout", "3", "--connect-timeout", "2",
            "--unix-socket", "/tmp/socket", "http://localhost/",
        ])
        let request = try command.connection.request(.get, command.url, timeout: command.call.timeout)
        #expect(command.call.method(or: .get) == .delete)
        #expect(request.fields[values: .accept] == ["text/x", "text/y"])
        #expect(request.options.callTimeout == .seconds(3))
        #expect(request.options.unixSocketPath == "/tmp/socket")
        #expect(request.options.timeouts?.connect == .seconds(2))
    }

    @Test func `the method is the command's unless another is typed`() throws {
        #expect(try GetCommand.parse(["http://localhost/"]).call.method(or: .get) == .get)
        let upload = try UploadCommand.parse(["http://localhost/", "-"])
        #expect(upload.call.method(or: .put) == .put)
        #expect(upload.file == "-")
    }

    @Test(arguments: [
        ["-H", "Authorization Bearer s3cret"], ["--header", "s3cret"], ["-H", "X: y", "-H", "Author ization: s3cret"],
    ])
    func `a field that is none is refused without showing it`(_ arguments: [String]) throws {
        let error = #expect(throws: (any Error).self) { try GetCommand.parse(arguments + ["http://localhost/"]) }
        #expect(try !GetCommand.fullMessage(for: #require(error)).contains("s3cret"))
    }

    @Test func `a variable that is none is refused without showing it`() throws {
        let arguments = ["--var", "token s3cret", "photos.http"]
        let error = #expect(throws: (any Error).self) { try RunCommand.parse(arguments) }
        #expect(try !RunCommand.fullMessage(for: #require(error)).contains("s3cret"))
    }

    @Test func `a command line that is wrong is refused`() {
        #expect(throws: (any Error).self) { try LinesCommand.parse(["http://localhost/", "--limit", "0"]) }
        #expect(throws: (any Error).self) { try GetCommand.parse(["http://localhost/", "-H", "nonsense"]) }
        #expect(throws: (any Error).self) { try UploadCommand.parse(["http://localhost/"]) }
    }
}
