// SPDX-License-Identifier: Apache-2.0
import Tern

/// The cookies that several calls of a command share, although each call has its own client, with its own delegate and trace.
struct CallSession: Sendable {
    let cookieStore: (any CookieStore)?
}
