// SPDX-License-Identifier: Apache-2.0
import NIOCore
import TernTransport

enum ResponseEvent {
    case informational(Response.Head)
    case head(Response.Head)
    case body(ByteBuffer)
    case end
}
