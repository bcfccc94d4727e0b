// SPDX-License-Identifier: Apache-2.0
import Tern

/// The cookies that several calls of a command have in common.
///
/// Each call has a client of its own, with a delegate and a trace for this call.
struct CallSession: Sendable {
    /// The cookies; `nil` if the calls keep none.
    let cookieStore: (any CookieStore)?
}
