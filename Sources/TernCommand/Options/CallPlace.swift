// SPDX-License-Identifier: Apache-2.0

struct CallPlace: Sendable {
    /// The number of the URL on the command line, from 0, which all URLs of a pattern share.
    var urlNumber = 0
    /// Whether messages name the URL, because there are several calls.
    var isOneOfSeveral = false
    /// Whether the code that makes all calls at the same time handles signals, and no call draws progress.
    var isParallel = false
    var session: CallSession?
}
