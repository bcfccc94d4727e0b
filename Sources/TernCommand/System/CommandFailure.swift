// SPDX-License-Identifier: Apache-2.0

/// A failure of a command other than a `ClientError`, such as an invalid option or a file that cannot be read.
struct CommandFailure: Error {
    let outcome: Outcome
    let message: String
}
