// SPDX-License-Identifier: Apache-2.0
import ClientTestSupport
import Foundation
import TernErrors
import TernTesting
import TernWebSocket
import TernWebSocketCore
import TestSupport
import Testing

@Suite("Values and bytes", .hangLimit)
struct JSONTests {
    private struct Move: Codable, Equatable {
        var from: String
        var to: String
    }

    private struct Unwritable: Encodable { var value = Double.infinity }

    private static func echo(_ server: ServerWebSocket) async throws {
        while let frame = try await server.receive(), frame.opcode != .close {
            try await server.send(frame.opcode, payload: frame.payload)
        }
    }

    @Test func `a value goes out as text, and comes back as a value`() async throws {
        let scene = Scene(server: Self.echo)
        let socket = try await scene.open()
        try await socket.send(json: Move(from: "e2", to: "e4"))
        var iterator = socket.makeAsyncIterator()
        let message = try #require(try await iterator.next())
        guard case .text = message else {
            Issue.record("\(message)")
            return
        }
        let move: Move = try message.decoded()
        #expect(move == Move(from: "e2", to: "e4"))
    }

    @Test func `bytes go out as a binary message`() async throws {
        let scene = Scene(server: Self.echo)
        let socket = try await scene.open()
        try await socket.send(Data(#"{"from":"a","to":"b"}"#.utf8))
        var iterator = socket.makeAsyncIterator()
        let message = try #require(try await iterator.next())
        #expect(message == .binary(Data(#"{"from":"a","to":"b"}"#.utf8)))
        #expect(try message.decoded(as: Move.self).to == "b")
    }

    @Test func `an encoder and a decoder may be chosen`() async throws {
        let encoder = JSONEncoder()
        encoder.keyEncodingStrategy = .convertToSnakeCase
        struct Named: Codable { var longName: String }
        let scene = Scene(server: Self.echo)
        let socket = try await scene.open()
        try await socket.send(json: Named(longName: "x"), encoder: encoder)
        var iterator = socket.makeAsyncIterator()
        let message = try #require(try await iterator.next())
        #expect(message == .text(#"{"long_name":"x"}"#))
        let decoder = JSONDecoder()
        decoder.keyDecodingStrategy = .convertFromSnakeCase
        #expect(try message.decoded(as: Named.self, by: decoder).longName == "x")
    }

    @Test func `what cannot be encoded is not sent, and leaves the WebSocket open`() async throws {
        let scene = Scene(server: Self.echo)
        let socket = try await scene.open()
        do throws(ClientError) {
            try await socket.send(json: Unwritable())
            Issue.record("it was sent")
        } catch {
            guard case .invalidRequest(.bodyNotEncodable(let reason), _) = error else {
                Issue.record(error)
                return
            }
            #expect(reason == "the value at value of the WebSocket message is infinity, which is not a finite number")
        }
        try await socket.send("still here")
        var iterator = socket.makeAsyncIterator()
        #expect(try await iterator.next() == .text("still here"))
    }

    @Test func `a message that is not the value says where, and keeps its beginning`() {
        let message = WebSocketMessage.text(#"{"from":7}"#)
        do throws(ClientError) {
            _ = try message.decoded(as: Move.self)
            Issue.record("it was decoded")
        } catch {
            guard case .decodingFailed(let failure, _) = error else {
                Issue.record(error)
                return
            }
            #expect(failure.path == "from")
            #expect(failure.body == Data(#"{"from":7}"#.utf8))
            #expect(failure.isBodyComplete)
        }
    }
}
