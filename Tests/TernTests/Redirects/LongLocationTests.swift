// SPDX-License-Identifier: Apache-2.0
import ClientTestSupport
import HTTPTypes
import Tern
import TernTesting
import TestSupport
import Testing

@Suite("Redirects: what a server writes into errors", .hangLimit)
struct LongLocationTests {
    private static let long = String(repeating: "a", count: 60_000)

    @Test(arguments: ["\(long)://test/", "http://\(long)/", "http://\(long):x/", "//\(long)/"])
    func `a Location does not choose how long an error is`(_ location: String) async throws {
        let scene = ClientScene { _ in .response(.found, fields: [.location: location]) }
        let error = await failure { () async throws(ClientError) in try await scene.client.data(from: testURL) }
        guard case .redirectFailed? = error else {
            Issue.record("another error")
            return
        }
        #expect("\(error.map(\.description) ?? "")".utf8.count < 1000)
    }

    @Test func `nor repeats it what may be a secret`() async throws {
        let scene = ClientScene { _ in .response(.found, fields: [.location: "sekret-token://test/"]) }
        let error = await failure { () async throws(ClientError) in try await scene.client.data(from: testURL) }
        guard case .redirectFailed(let reason, _)? = error else {
            Issue.record("another error")
            return
        }
        var dumped = ""
        dump(reason, to: &dumped)
        #expect(!"\(reason) \(dumped)".contains("sekret"))
    }
}
