// SPDX-License-Identifier: Apache-2.0
import ClientTestSupport
import HTTPTypes
import TernErrors
import TernProxies
import TernRequests
import TernTransport
import Testing

@testable import TernURLSession

@Suite("Proxies of the environment over URLSession")
struct ProxyEnvironmentTests {
    private static let environment = ["https_proxy": "http://user:p@ss@proxy", "http_proxy": "proxy"]

    private func fault(_ url: String, _ router: Router) throws -> Fault? {
        let call = try HTTPCall(Request(.get, url))
        do throws(ClientError) {
            try URLSessionTransport.check(call, router)
            return nil
        } catch {
            return error.fault
        }
    }

    @Test func `a malformed proxy is named where URLSession would use it`() throws {
        let router = Router(.environment, environment: Self.environment)
        guard case .proxyFailed(.malformedURL(let text))? = try self.fault("https://h/", router) else {
            Issue.record("no error names the proxy")
            return
        }
        #expect(text.contains("https_proxy"))
        #expect(!text.contains("p@ss"))
        #expect(try self.fault("http://h/", router) == nil)
        #expect(try self.fault("https://h/", Router()) == nil)
    }
}
