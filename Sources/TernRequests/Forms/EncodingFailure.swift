// SPDX-License-Identifier: Apache-2.0
import TernErrors

/// Texts for the failures of encoders.
enum EncodingFailure {
    /// Returns a text for an encoder's failure.
    ///
    /// The text names the place, but contains neither the encoder's own text nor keys of dictionaries, because both may
    /// contain content. Of the values, it names only numbers that are not finite. For an unknown error, the text names
    /// only the type.
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
