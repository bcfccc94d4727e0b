// SPDX-License-Identifier: Apache-2.0

/// Somebody who can be asked.
protocol Questioner: Sendable {
    /// Asks, and waits for the answer.
    ///
    /// - Parameters:
    ///   - question: what to show.
    ///   - isSecret: whether the answer must not be seen.
    ///   - advice: what to do where nobody can be asked.
    /// - Returns: what was typed.
    /// - Throws: `CommandFailure` if nobody can be asked, or nobody answers.
    func ask(_ question: String, isSecret: Bool, otherwise advice: String) async throws(CommandFailure) -> String
}
