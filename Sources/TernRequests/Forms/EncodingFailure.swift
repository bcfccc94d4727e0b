// SPDX-License-Identifier: Apache-2.0
import TernErrors

enum EncodingFailure {
    /// Returns a text about an error, without the encoder's own text and without keys of dictionaries, which may contain content.
    static func text(of error: any Error) -> String {
        let (text, path): (String, [any CodingKey])
        switch error {
        case EncodingError.invalidValue(let value, let context):
            (text, path) = (RejectedValue.predicate(value), context.codingPath)
        case let problem as FormProblem: (text, path) = (problem.text, problem.path)
        default: return "the encoder threw \(type(of: error))"
        }
        return path.isEmpty ? "the value \(text)" : "the value at \(CodingPath.text(of: path)) \(text)"
    }
}
