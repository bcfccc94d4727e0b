// SPDX-License-Identifier: Apache-2.0
import Testing

@testable import TernCommand

@Suite("A file .env")
struct DotenvFileTests {
    @Test func `lines are names and values`() {
        let file = DotenvFile("A=1\n  B = two words \r\nexport C=\"x=y\"\n#D=1\nE='\nF=\nno line\nA=2\n")
        let values = ["A", "B", "C", "D", "E", "F", "no line"].map { file[$0] }
        #expect(values == ["2", "two words", "x=y", nil, "'", "", nil])
    }
}
