// SPDX-License-Identifier: Apache-2.0
import Synchronization

@testable import TernCommand

/// Answers questions with the answers of a list, and refuses further questions.
final class ScriptedQuestioner: Questioner {
    struct Question: Equatable, Sendable {
        var text: String
        var isSecret: Bool
    }

    private let answers: Mutex<[String]>
    private let questions = Mutex<[Question]>([])

    init(_ answers: String...) { self.answers = Mutex(answers) }

    /// The questions so far, in order.
    var asked: [Question] { self.questions.withLock { $0 } }

    func ask(_ question: String, isSecret: Bool, otherwise advice: String) async throws(CommandFailure) -> String {
        self.questions.withLock { $0.append(Question(text: question, isSecret: isSecret)) }
        guard let answer = self.answers.withLock({ $0.isEmpty ? nil : $0.removeFirst() }) else {
            throw CommandFailure(outcome: .usage, message: advice)
        }
        return answer
    }
}
