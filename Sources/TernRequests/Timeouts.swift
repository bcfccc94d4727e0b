// SPDX-License-Identifier: Apache-2.0

/// The time limits of a call, one for each kind of waiting; `nil` means no limit.
///
/// A limit for the whole call would be too short for a download of hours, or too long for a small answer. The defaults
/// therefore limit *silence* and not the whole call. The descriptions below compare them with those of other clients.
public struct Timeouts: Hashable, Sendable {
    /// The limit for name look-up, TCP and TLS together.
    ///
    /// Defaults to 10 seconds, like OkHttp. Go's dialer waits 30 seconds, and curl 300 seconds. If a server has not
    /// answered three retransmitted SYNs within 10 seconds, it will not answer.
    public var connect: Duration?
    /// The limit for waiting for a free connection to a host that already has the maximum number of connections, and
    /// for waiting for a connection that another call is opening.
    ///
    /// Defaults to 60 seconds. For a call that opens its own connection, ``connect`` applies instead.
    public var connection: Duration?
    /// The limit from the end of the request to the end of the head of the final response.
    ///
    /// Defaults to 60 seconds, like `URLSession`.
    public var firstByte: Duration?
    /// The limit for a pause in the transfer, in which the peer neither sends nor accepts any data.
    ///
    /// Defaults to 60 seconds, like `URLSession`.
    ///
    /// If the client sends the body and reads the response at the same time, progress in either direction restarts the
    /// limit. The limit does not apply to sending while the app leaves received data unread, because the server may be
    /// waiting for the app to read.
    ///
    /// The client detects a silent peer after one to two of these intervals.
    public var idle: Duration?
    /// The limit for the whole call, from its start to the end of the body, including redirects and retries.
    ///
    /// Defaults to `nil`, because a download may take hours. `URLSession` ends a call after seven days; curl and OkHttp
    /// never end one.
    public var call: Duration?

    /// Creates limits.
    ///
    /// - Parameters:
    ///   - connect: The limit for name look-up, TCP and TLS. Defaults to 10 seconds.
    ///   - connection: The limit for waiting for a free connection. Defaults to 60 seconds.
    ///   - firstByte: The limit for the head of the final response. Defaults to 60 seconds.
    ///   - idle: The limit for a pause in the transfer. Defaults to 60 seconds.
    ///   - call: The limit for the whole call. Defaults to `nil`, which means no limit.
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

    /// No limits at all.
    ///
    /// Over HTTP/2, a call still ends if the server is silent and does not answer a PING.
    public static let none = Timeouts(connect: nil, connection: nil, firstByte: nil, idle: nil, call: nil)
}
