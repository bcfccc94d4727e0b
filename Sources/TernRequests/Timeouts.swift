// SPDX-License-Identifier: Apache-2.0

/// The time limits of a call, for each kind of waiting; `nil` means no limit.
///
/// No single limit suits both a small answer and a download of hours, so the defaults bound *silence* rather than the
/// whole call. Each default names its precedent.
public struct Timeouts: Hashable, Sendable {
    /// The limit for name look-up, TCP and TLS together.
    ///
    /// Defaults to 10 seconds, like OkHttp (30 seconds in Go's dialer, 300 in curl). A server that has not answered
    /// three retransmitted SYNs by then will not answer.
    public var connect: Duration?
    /// The limit for waiting for a free connection, when the host already has the maximum number of connections, or for
    /// a connection that another call dials.
    ///
    /// Defaults to 60 seconds. A call that dials its own connection uses ``connect`` instead.
    public var connection: Duration?
    /// The limit from the end of the request to the first byte of the response.
    ///
    /// Defaults to 60 seconds, like `URLSession`.
    public var firstByte: Duration?
    /// The limit for a pause in the transfer, while the peer neither sends nor accepts any data.
    ///
    /// Defaults to 60 seconds, like `URLSession`.
    ///
    /// If the client sends the body and reads the response at the same time, progress in one direction keeps the other
    /// alive: the limit passes only when neither makes progress. Sending also does not time out while the app leaves
    /// received data unread, because the server may be waiting for the app to read.
    ///
    /// A silent peer is detected after one to two of these intervals.
    public var idle: Duration?
    /// The limit for the whole call to the end of the body, including redirects and retries.
    ///
    /// Defaults to `nil`, because a download may take hours. `URLSession` ends a call after seven days; curl and OkHttp
    /// never do.
    public var call: Duration?

    /// Creates limits.
    ///
    /// - Parameters:
    ///   - connect: The limit for name look-up, TCP and TLS. Defaults to 10 seconds.
    ///   - connection: The limit for waiting for a free connection. Defaults to 60 seconds.
    ///   - firstByte: The limit for the first byte of the response. Defaults to 60 seconds.
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
    public static let none = Timeouts(connect: nil, connection: nil, firstByte: nil, idle: nil, call: nil)
}
