// SPDX-License-Identifier: Apache-2.0
import ClientTestSupport
import Foundation
import Tern
import TestSupport
import Testing

@Suite("Validation and decoding against httpbin", .hangLimit)
struct HTTPBinValidationTests {
    private struct Slides: Decodable {
        struct Slideshow: Decodable { var author: String }
        var slideshow: Slideshow
    }

    @Test(arguments: [404, 418, 500, 503])
    func `a status that is no success is refused`(code: Int) async throws {
        let bin = try await HTTPBin.shared
        let client = Client(configuration: .patient)
        let request = Request(.get, bin.url("/status/\(code)"))
        #expect(
            await fault { () async throws(ClientError) in try await client.send(request) }
                == .validationFailed(.status(code))
        )
        #expect(try await client.data(for: request).1.statusCode == code)
        let accepting = request.validate(.status([code]))
        #expect(try await client.send(accepting).statusCode == code)
    }

    @Test func `JSON is decoded as a value`() async throws {
        let bin = try await HTTPBin.shared
        var configuration = Client.Configuration.patient
        configuration.baseURL = URL(string: bin.url(""))
        let client = Client(configuration: configuration)
        let slides = try await client.value(for: Request(.get, "json"), as: Slides.self)
        #expect(!slides.slideshow.author.isEmpty)
        let error = await failure { () async throws(ClientError) in
            try await client.value(for: Request(.get, "json"), as: [Int].self)
        }
        guard case .decodingFailed(let failure, _)? = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect(failure.reason == .typeMismatch && failure.isBodyComplete)
    }

    @Test func `a page is not the JSON that was asked for`() async throws {
        let bin = try await HTTPBin.shared
        let request = Request(.get, bin.url("/html")).header(.accept, "application/json")
        let client = Client(configuration: .patient)
        let fault = await fault { () async throws(ClientError) in try await client.data(for: request.validate()) }
        #expect(fault == .validationFailed(.contentType("text/html")))
        #expect(try await client.data(for: request.validate(.success, .contentType("text/*"))).1.statusCode == 200)
    }

    @Test func `a redirect is followed before its end is judged`() async throws {
        let bin = try await HTTPBin.shared
        let request = Request(.get, bin.url("/redirect-to")).query("url", "/status/404").validate()
        let fault = await fault { () async throws(ClientError) in
            try await Client(configuration: .patient).data(for: request)
        }
        #expect(fault == .validationFailed(.status(404)))
    }

    @Test func `compressed content is kept as it reads, and its length is that`() async throws {
        let bin = try await HTTPBin.shared
        let client = Client(configuration: .patient)
        let request = Request(.get, bin.url("/gzip"))
        let error = await failure { () async throws(ClientError) in
            try await client.data(for: request.validate(.status([201])))
        }
        struct Gzipped: Decodable { var gzipped: Bool }
        #expect(error?.decoded(as: Gzipped.self)?.gzipped == true)
        let body = try await client.data(for: request).0
        let count = Int64(body.count)
        #expect(try await client.data(for: request.validate(.length(count...count))).0.count == body.count)
        let short = request.validate(.length(0...count - 1))
        let fault = await fault { () async throws(ClientError) in try await client.data(for: short) }
        #expect(fault == .validationFailed(.length(count)))
    }
}
