// SPDX-License-Identifier: Apache-2.0
import HTTPTypes
import TernRequests
import Testing

@Suite("RFC 9218: the priority of a request")
struct RequestPriorityTests {
    @Test(arguments: [
        (RequestPriority(), "u=3"),
        (RequestPriority(urgency: 0), "u=0"),
        (RequestPriority(urgency: 7, isIncremental: true), "u=7, i"),
        (RequestPriority(urgency: -1), "u=0"),
        (RequestPriority(urgency: 8, isIncremental: true), "u=7, i"),
    ])
    func `the field has the urgency and whether parts are useful`(priority: RequestPriority, value: String) throws {
        let name = try #require(HTTPField.Name("priority"))
        let request = Request(.get, "https://test/").header(name, "u=1").priority(priority)
        #expect(request.fields[values: name] == [value])
    }

    @Test func `a request without a priority has no field`() throws {
        let name = try #require(HTTPField.Name("priority"))
        #expect(Request(.get, "https://test/").fields[name] == nil)
    }
}
