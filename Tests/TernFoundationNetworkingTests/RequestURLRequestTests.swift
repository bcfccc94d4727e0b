// SPDX-License-Identifier: Apache-2.0
import HTTPTypes
import TernErrors
import TernFoundationNetworking
import TernRequests
import TernURLLoading
import Testing

@Suite("Requests of Foundation")
struct RequestURLRequestTests {
    private func urlRequest(_ change: (inout URLRequest) -> Void = { _ in }) throws -> URLRequest {
        var request = URLRequest(url: try #require(URL(string: "https://h/a?b=c%20d")))
        change(&request)
        return request
    }

    @Test func `a plain one is a GET with the limits of the client`() throws {
        let request = Request(try self.urlRequest())
        #expect(request.method == .get)
        #expect(request.url.absoluteString == "https://h/a?b=c%20d")
        #expect(request.fields.isEmpty)
        #expect(request.body == nil)
        #expect(request.options.timeouts == nil)
        #expect(request.problem == nil)
    }

    @Test func `method, fields and body are taken over`() throws {
        let request = Request(
            try self.urlRequest { request in
                request.httpMethod = "PATCH"
                request.setValue("text/plain", forHTTPHeaderField: "Content-Type")
                request.addValue("1", forHTTPHeaderField: "X-Key")
                request.httpBody = Data("hello".utf8)
            }
        )
        #expect(request.method == .patch)
        #expect(request.fields[.contentType] == "text/plain")
        #expect(try request.fields[#require(HTTPField.Name("X-Key"))] == "1")
        guard case .data(let data)? = request.body?.content else {
            Issue.record("no body")
            return
        }
        #expect(data == Data("hello".utf8))
        #expect(request.problem == nil)
    }

    @Test func `a limit of time is that for silence`() throws {
        let request = Request(try self.urlRequest { $0.timeoutInterval = 5 })
        #expect(request.options.timeouts == Timeouts(firstByte: .seconds(5), idle: .seconds(5)))
    }

    @Test(arguments: [.infinity, .greatestFiniteMagnitude, 1e18])
    func `a limit beyond all measure is none`(interval: TimeInterval) throws {
        let request = Request(try self.urlRequest { $0.timeoutInterval = interval })
        #expect(request.options.timeouts == Timeouts(firstByte: nil, idle: nil))
    }

    @Test(arguments: [0, -1, .nan])
    func `a limit of no time is the client's`(interval: TimeInterval) throws {
        #expect(Request(try self.urlRequest { $0.timeoutInterval = interval }).options.timeouts == nil)
    }

    @Test func `what cannot be sent is the problem`() throws {
        let stream = Request(
            try self.urlRequest { request in
                request.httpMethod = "POST"
                request.httpBodyStream = InputStream(data: Data("hello".utf8))
            }
        )
        guard case .bodyNotEncodable? = stream.problem else {
            Issue.record("\(String(describing: stream.problem))")
            return
        }
        let field = Request(try self.urlRequest { $0.setValue("1", forHTTPHeaderField: "X Key") })
        #expect(field.problem == .malformedFieldName)
    }
}
