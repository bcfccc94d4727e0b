// SPDX-License-Identifier: Apache-2.0
import HTTPTypes
import TernHTTP1
import TernRequests
import Testing

@Suite("Fields by the text of their names")
struct HTTPFieldsTextTests {
    @Test func `text means the same as a name`() {
        var fields: HTTPFields = [.accept: "a"]
        fields["accept"] = "b"
        fields["X-Key"] = "1"
        #expect(fields[.accept] == "b")
        #expect(fields["x-key"] == "1")
        #expect(fields["X-Other"] == nil)
        fields["X-KEY"] = nil
        #expect(fields.count == 1)
    }

    @Test(arguments: ["", "X Key", "X-Key:", "ä", "X-Key\r\nX-Evil", "(x)"])
    func `what is not a name reads as nil and stops the request`(name: String) {
        var fields = HTTPFields()
        #expect(fields[name] == nil)
        fields[name] = nil
        #expect(fields.isEmpty)
        fields[name] = "1"
        #expect(fields[name] == nil)
        #expect(fields.count == 1)
        let head = RequestHead(method: .get, target: "/", host: "h", fields: fields)
        #expect(throws: RequestHeadError.invalidFieldName) { try head.validate() }
    }

    @Test func `a head never has a field whose name is malformed`() {
        var fields = HTTPFields()
        fields["X Key"] = "1"
        let head = RequestHead(method: .get, target: "/", host: "h", fields: fields)
        #expect(RequestHeadError.invalidFieldName.section == "RFC 9110 §5.1")
        #expect(head.encodedByteCountUpperBound > 0)
    }
}
