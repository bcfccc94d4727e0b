// SPDX-License-Identifier: Apache-2.0

/// The time limits of a call; `nil` means no limit.
///
/// A limit for the whole call would be too short for a download of hours, or too long for a small answer. The defaults therefore
/// limit *silence* and not the whole call. `URLSession` ignores ``connect`` and ``connection``.
public struct Timeouts: Hashable, Sendable {
    /// The limit for name look-up, TCP and TLS together.
    ///
    /// Beyond it, the call throws `ClientError.timedOut(.connect)`. Defaults to 10 seconds, because a server that has not answered
    /// three retransmitted SYNs by then will hardly answer. When a proxy has opened its tunnel, the limit begins again.
    public var connect: Duration?
    /// The limit for waiting for a free connection (over HTTP/2, a free stream) to a host that has the maximum number of
    /// connections, or for a connection that another call is opening.
    ///
    /// Beyond it, the call throws `ClientError.timedOut(.connection)`. Defaults to 60 seconds. For a call that opens its own
    /// connection, ``connect`` applies instead.
    public var connection: Duration?
    /// The limit from the end of the request to the end of the head of the final response; defaults to 60 seconds.
    ///
    /// Beyond it, the call throws `ClientError.timedOut(.firstByte)`. Over `URLSession`, it includes connecting if no body is sent.
    public var firstByte: Duration?
    /// The limit for a pause in the transfer: the peer sends nothing, and accepts nothing of what is to be sent.
    ///
    /// Beyond it, the call throws `ClientError.timedOut(.idle)`. Defaults to 60 seconds. The client may notice a pause only after
    /// twice this time. The limit counts only while the client waits for the peer: not while the app leaves the body of the
    /// response unread, and not, before the response, while the client waits for the next piece of the request's body.
    public var idle: Duration?
    /// The limit for the whole call, from its start to the end of the body, including redirects and retries.
    ///
    /// Beyond it, the call throws `ClientError.timedOut(.call)`. Defaults to `nil`, because a download may take hours.
    public var call: Duration?

    /// Creates limits, each described at its property.
    public init(
        connect: Duration? = .seconds(10),
        connection: Duration? = .seconds(60),
        firstByte: Duration? = .seconds(60),
        idle: Duration? = .seconds(60),
        call: Duration? = nil
    ) {
        self.connect = connect
        self.connection = connection
        self.firstByte = firstByte
        self.idle = idle
        self.call = call
    }

    /// No limits at all; over HTTP/2, unless `http2KeepAlive` is `nil`, a call still ends if a silent server answers no PING.
    public static let none = Timeouts(connect: nil, connection: nil, firstByte: nil, idle: nil, call: nil)
}
