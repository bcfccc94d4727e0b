// SPDX-License-Identifier: Apache-2.0

/// One part of the story: it does something, says what happens, and checks that it should.
protocol DemoChapter: Sendable {
    /// What it is about, in a few words.
    var title: String { get }

    /// Plays it.
    ///
    /// - Throws: ``DemoFailure`` when something is not as it should be, or whatever the client throws.
    func play(on stage: DemoStage) async throws
}

/// What is not as it should be.
struct DemoFailure: Error, CustomStringConvertible {
    let description: String

    init(_ expectation: String) { self.description = "the demo expected that \(expectation)" }
}
