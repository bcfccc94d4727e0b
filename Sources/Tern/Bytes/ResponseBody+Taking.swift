// SPDX-License-Identifier: Apache-2.0
import NIOCore
import TernTransport

extension ResponseBody {
    /// The body, to be read on.
    ///
    /// One that came whole is given once, and is empty from then on; one that comes in pieces is read where it stands.
    mutating func taken() -> ResponseBody {
        defer { if self.whole != nil { self = ResponseBody(ByteBuffer()) } }
        return self
    }
}
