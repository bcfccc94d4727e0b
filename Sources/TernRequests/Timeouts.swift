// SPDX-License-Identifier: Apache-2.0

/// How long each kind of waiting may take; `nil` is no limit.
///
/// No single number suits both a small answer and a download of hours, so the defaults bound *silence* rather than the
/// whole call. Each names its precedent.
public struct Timeouts: Hashable, Sendable {
    /// Name look-up, TCP and TLS together; 10 seconds by default, as OkHttp has it (Go's dialer has 30 seconds, curl
    /// 300): who has not answered three retransmitted SYNs by then will not.
    public var connect: Duration?
    /// Waiting for a free connection, because the host has as many as it may, or for one that another call dials.
    ///
    /// Defaults to 60 seconds. A call that dials itself goes by ``connect``.
    public var connection: Duration?
    /// From the end of the request to the first byte of the response; 60 seconds by default, as `URLSession` has it.
    public var firstByte: Duration?
    /// Between two pieces of the response, or of the request, while the peer neither sends nor takes anything; 60
    /// seconds by default, as `URLSession` has it.
    ///
    /// While a body is sent and the response is read at once, a direction that moves keeps the other alive: the limit is
    /// over when neither moves. Sending does not run into it either while the app does not read what has come: the server
    /// may wait for that.
    ///
    /// A silent peer is detected after one to two of these intervals.
    public var idle: Duration?
    /// The whole call, redirects and retries included, to the end of the body; none by default, for a download may take
    /// hours (`URLSession` ends it after seven days, curl and OkHttp never).
    public var call: Duration?

    /// Creates limits.
    ///
    /// - Parameters:
    ///   - connect: for name look-up, TCP and TLS; 10 seconds by default.
    ///   - connection: for a free connection; 60 seconds by default.
    ///   - firstByte: for the first byte of the response; 60 seconds by default.
    ///   - idle: for silence in between; 60 seconds by default.
    ///   - call: for everything; none by default.
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
