// SPDX-License-Identifier: Apache-2.0
import HTTPTypes
import NIOCore
import Synchronization
import TernConnections
import TernErrors
import TernFoundation
import TernRequests
import TernTesting
import TernTransport
import TestSupport
import Testing

/// An interceptor that records its name when a call passes and when the reply returns.
private struct Passing: Interceptor {
    let name: String
    let log: Log

    func respond(to call: HTTPCall, next: NextStages) async throws(ClientError) -> HTTPReply {
        self.log.add("\(self.name) in")
        defer { self.log.add("\(self.name) out") }
        return try await next.respond(to: call)
    }
}

private struct Answering: Interceptor {
    func respond(to call: HTTPCall, next: NextStages) async throws(ClientError) -> HTTPReply {
        HTTPReply(response: Response(url: call.request.url, status: .accepted))
    }
}

private struct Retrying: Interceptor {
    func respond(to call: HTTPCall, next: NextStages) async throws(ClientError) -> HTTPReply {
        do {
            return try await next.respond(to: call)
        } catch {
            var call = call
            call.attempt += 1
            return try await next.respond(to: call)
        }
    }
}

private final class Log: Sendable {
    private let lines = Mutex<[String]>([])

    var all: [String] { self.lines.withLock { $0 } }

    func add(_ line: String) { self.lines.withLock { $0.append(line) } }
}

@Suite("Next and Call", .hangLimit)
struct NextStagesTests {
    private let clock = ManualClock()

    private func call(_ timeouts: Timeouts = Timeouts()) throws -> HTTPCall {
        let request = Request(.get, "http://example.com/a?b=c")
        return HTTPCall(request, to: try request.destination(), timeouts: timeouts, clock: self.clock)
    }

    @Test func `stages see the call in their order and the reply in reverse`() async throws {
        let log = Log()
        let next = NextStages(
            [Passing(name: "a", log: log), Passing(name: "b", log: log)],
            transport: ScriptedTransport(.response())
        )
        #expect(try await next.respond(to: self.call()).response.statusCode == 200)
        #expect(log.all == ["a in", "b in", "b out", "a out"])
    }

    @Test func `without stages the transport answers`() async throws {
        let transport = ScriptedTransport(.response(.noContent))
        #expect(try await NextStages([], transport: transport).respond(to: self.call()).response.statusCode == 204)
        #expect(transport.calls.count == 1)
    }

    @Test func `a stage may answer by itself`() async throws {
        let transport = ScriptedTransport()
        let next = NextStages([Answering(), Passing(name: "never", log: Log())], transport: transport)
        #expect(try await next.respond(to: self.call()).response.statusCode == 202)
        #expect(transport.calls.isEmpty)
    }

    @Test func `a stage may ask again, and every stage behind it is asked again`() async throws {
        let log = Log()
        let transport = ScriptedTransport(.failure { .connectionLost(.reset, $0) }, .response())
        let next = NextStages([Retrying(), Passing(name: "a", log: log)], transport: transport)
        #expect(try await next.respond(to: self.call()).response.statusCode == 200)
        #expect(transport.calls.map(\.attempt) == [1, 2])
        #expect(log.all == ["a in", "a out", "a in", "a out"])
    }

    @Test func `an error passes through all stages`() async throws {
        let transport = ScriptedTransport(.failure { .connectionLost(.reset, $0) })
        let next = NextStages([Passing(name: "a", log: Log())], transport: transport)
        let call = try self.call()
        await #expect {
            try await next.respond(to: call)
        } throws: { error in
            if case ClientError.connectionLost(.reset, _)? = error as? ClientError { true } else { false }
        }
    }

    @Test func `copies of a call do not share their changes`() throws {
        let call = try self.call()
        var copy = call
        copy.request = copy.request.header(.accept, "text/plain")
        copy.attempt += 1
        copy.timeouts.idle = nil
        #expect(call.request.fields.isEmpty)
        #expect(call.attempt == 1)
        #expect(call.timeouts.idle == .seconds(60))
        #expect(copy.request.fields[.accept] == "text/plain")
    }

    @Test func `the deadline of a wait is its own limit or the call's, whichever is nearer`() throws {
        let call = try self.call(Timeouts(call: .seconds(10)))
        #expect(call.deadline?.instant == self.clock.now.advanced(by: .seconds(10)))
        #expect(call.deadline(.idle, .seconds(3))?.timeout == .idle)
        #expect(call.deadline(.idle, nil) == call.deadline)
        self.clock.advance(by: .seconds(8))
        #expect(call.deadline(.idle, .seconds(3)) == call.deadline)
        #expect(try self.call().deadline(.idle, nil) == nil)
    }

    @Test func `a context tells origin, attempt and time, and nothing of path or query`() throws {
        var call = try self.call()
        call.attempt = 2
        self.clock.advance(by: .seconds(3))
        let context = call.context(.head)
        #expect(context.origin == "http://example.com:80")
        #expect(context.attempt == 2)
        #expect(context.elapsed == .seconds(3))
        #expect(context.phase == .head)
        #expect(context.response == nil)
    }
}
