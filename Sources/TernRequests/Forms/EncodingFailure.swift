// SPDX-License-Identifier: Apache-2.0
import TernErrors

/// Failures of encoders, as errors tell of them.
enum EncodingFailure {
    /// What is said of an encoder's failure: where, but neither its text nor the keys of dictionaries, which are or may
    /// hold content; of an unknown error only the type.
    static func text(of error: any Error) -> String {
        let (text, path): (String, [any CodingKey])
        switch error {
        case EncodingError.invalidValue(_, let context): (text, path) = ("a value has no form", context.codingPath)
        case let problem as FormProblem: (text, path) = (problem.text, problem.path)
        default: return "\(type(of: error))"
        }
        return path.isEmpty ? text : "\(text) (at \(CodingPath.text(of: path)))"
    }
}
