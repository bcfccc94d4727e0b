// SPDX-License-Identifier: Apache-2.0

/// The place of a call among the calls of one command.
struct CallPlace: Sendable {
    /// The number of the URL on the command line, from 0; all URLs of a pattern have the same number.
    var urlNumber = 0
    /// Whether the command makes several calls, so that messages name the URL.
    var isOneOfSeveral = false
    /// Whether the command makes other calls at the same time.
    ///
    /// Then the code that makes all the calls handles signals, and the calls draw no progress.
    var isParallel = false
    /// The cookies that the calls share; `nil` if the command makes one call.
    var session: CallSession?
}
