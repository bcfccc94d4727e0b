// SPDX-License-Identifier: Apache-2.0

/// A failure of a command that is not a client's error.
struct CommandFailure: Error {
    let outcome: Outcome
    let message: String
}
