// SPDX-License-Identifier: Apache-2.0
import HTTPTypes
import TernRequests
import Testing

@Suite("Sets of field names")
struct FieldNamesTests {
    @Test func `a name is added by its text, once, and in any case`() {
        var names: Set<HTTPField.Name> = [.authorization]
        let added = ["X-Request-Key", "x-request-key", "Authorization"].map { names.insert($0) as Bool }
        #expect(added == [true, false, false])
        #expect(names.map(\.canonicalName).sorted() == ["authorization", "x-request-key"])
    }

    @Test(arguments: ["", "X Key", "X-Key:", "X-K\u{e9}y", "X-Key\r\n"])
    func `a text that is not a name is not added`(text: String) {
        var names: Set<HTTPField.Name> = []
        let isAdded: Bool = names.insert(text)
        #expect(!isAdded && names.isEmpty)
    }
}
