// SPDX-License-Identifier: Apache-2.0

/// What goes wrong in a command and not in the client.
struct CommandFailure: Error {
    let outcome: Outcome
    let message: String
}
