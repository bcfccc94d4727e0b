// SPDX-License-Identifier: Apache-2.0
import Foundation
import TernValues
import Testing

@Suite("Described, explained and identified")
struct DescribedTests {
    private enum Fault: Error, Described, Explained {
        case broken

        var wording: String { "it is broken" }
        var sentence: String { "Something is broken." }
    }

    private struct Pair: Identified {
        var name: String
        var note: String

        var identity: String { self.name }
    }

    @Test func `a description is the wording, wherever it is asked for`() {
        let fault: any Error = Fault.broken
        #expect("\(fault)" == "it is broken")
        #expect(String(reflecting: Fault.broken) == "it is broken")
        #expect(String(describing: Fault.broken) == "it is broken")
    }

    @Test func `a localized description is the sentence`() {
        let fault: any Error = Fault.broken
        #expect(fault.localizedDescription == "Something is broken.")
        #expect((fault as? any LocalizedError)?.errorDescription == "Something is broken.")
    }

    @Test func `values are equal by their identity`() {
        let (one, other) = (Pair(name: "a", note: "1"), Pair(name: "a", note: "2"))
        #expect(one == other)
        #expect(Set([one, other]).count == 1)
        #expect(one != Pair(name: "b", note: "1"))
    }
}
