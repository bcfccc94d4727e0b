// SPDX-License-Identifier: Apache-2.0
import TernFiles
import Testing

@Suite("Searches for abandoned files")
struct FolderSearchesTests {
    private let start = ContinuousClock.now

    /// Asks for searches one after the other; returns the answers.
    private func answers(_ questions: [(folder: String, second: Double)]) -> [Bool] {
        var searches = FolderSearches()
        return questions.map { searches.begins(in: $0.folder, at: self.start + .seconds($0.second)) }
    }

    @Test func `a folder is searched once a minute`() {
        let answers = self.answers([
            ("/a", 0), ("/a", 0), ("/b", 1), ("/a", 59.9), ("/a", 60), ("/a", 119), ("/b", 119),
        ])
        #expect(answers == [true, false, true, false, true, false, true])
    }

    @Test func `old searches are forgotten first`() {
        let others = (1..<FolderSearches.maximumCount).map { (folder: "\($0)", second: 61.0) }
        let answers = self.answers([("old", 0)] + others + [("new", 61), ("1", 61), ("new", 61)])
        #expect(answers.dropLast(2).allSatisfy { $0 })
        #expect(answers.suffix(2) == [false, false])
    }

    @Test func `without room for more, a folder is searched again`() {
        let folders = (1...FolderSearches.maximumCount).map { (folder: "\($0)", second: 0.0) }
        let answers = self.answers(folders + [("1", 0), ("new", 0), ("new", 0), ("1", 0)])
        #expect(answers.suffix(4) == [false, true, false, true])
    }
}
