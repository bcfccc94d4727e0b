// SPDX-License-Identifier: Apache-2.0
import HTTPTypes
import TernTesting

/// The way in which a server with one resource answers one request.
struct Conduct: Sendable {
    let answer: @Sendable (RangeServer, ReceivedRequest) -> ScriptedResponse

    /// The server answers as the RFC says.
    static let honest = Conduct { $0.answer($1) }

    /// The connection ends after this many bytes of the honest response.
    static func cut(afterByteCount byteCount: Int) -> Conduct {
        Conduct { $0.answer($1).cut(afterByteCount: byteCount) }
    }

    /// The connection ends after this many bytes of the body of the honest response.
    static func cut(afterBodyByteCount byteCount: Int) -> Conduct {
        Conduct { $0.answer($1).cut(afterBodyByteCount: byteCount) }
    }

    /// After this many bytes of the body of the honest response, the server does nothing more.
    static func stall(afterBodyByteCount byteCount: Int) -> Conduct {
        Conduct { $0.answer($1).cut(afterBodyByteCount: byteCount, .stall) }
    }

    /// The server sends at most this many bytes of a range, and says so.
    static func shorten(to byteCount: Int) -> Conduct {
        Conduct { server, request in
            guard let first = request.firstByte else { return server.answer(request) }
            return server.part(first..<min(first + byteCount, server.content.count))
        }
    }

    /// The server sends fewer bytes of a range than it has announced, and ends the body in order.
    static func end(afterBodyByteCount byteCount: Int) -> Conduct {
        Conduct { server, request in
            guard let first = request.firstByte else { return server.answer(request) }
            let fields: HTTPFields = [.contentRange: server.contentRange(first..<server.content.count)]
            return server.chunked(Array(server.content[first..<first + byteCount]), .partialContent, fields)
        }
    }

    /// The server breaks a rule about ranges.
    static func lie(_ lie: RangeServer.Lie) -> Conduct { Conduct { $0.answer($1, lie) } }

    /// The server sends the whole resource, whatever the request asks for.
    static let ignoreRange = Conduct { server, _ in server.whole }

    /// The server ignores `If-Range`, and sends the part of the present resource.
    static let ignoreCondition = Conduct { server, request in
        var request = request
        request.fields[.ifRange] = nil
        return server.answer(request)
    }

    /// The server sends this response.
    static func respond(_ response: ScriptedResponse) -> Conduct { Conduct { _, _ in response } }

    /// The server sends a response with this status, and a body that is not the resource.
    static func status(_ status: HTTPResponse.Status, _ fields: HTTPFields = [:], body: String = "no") -> Conduct {
        .respond(.response(status, fields: fields, body: body))
    }
}
