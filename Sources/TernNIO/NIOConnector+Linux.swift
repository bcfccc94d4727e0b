// SPDX-License-Identifier: Apache-2.0
// Compiled and run on Linux with glibc; never compiled with musl.

#if os(Linux)
import NIOCore
import NIOPosix
import TernConnections

extension NIOConnector {
    static func network(of channel: any Channel) -> (any DirectNetwork)? { channel as? DirectChannel }

    /// Connects a socket that the calling threads read and write; `nil` if the connector must use an event loop.
    func connectDirectly(
        to place: Place,
        deadline: CallDeadline?,
        reporting report: (@Sendable (ConnectionMilestone) -> Void)?
    ) async throws(ConnectionError) -> NIOConnection? {
        guard self.threading != .eventLoops, MultiThreadedEventLoopGroup.currentEventLoop == nil,
            let addresses = place.addresses, let readiness = self.readiness.next()
        else { return nil }
        let race = ConnectionRace(addresses, on: readiness, clock: self.clock, reporting: report)
        let socket = try await race.run(until: deadline)
        let channel = DirectChannel(socket, readiness: readiness, polls: self.threading == .callersThatPoll)
        let result = channel.loop.executeIfFree {
            Result {
                try channel.begin()
                return try self.connection(over: channel, inside: nil)
            }
        }
        switch result {
        case .success(let connection)?:
            return connection
        case .failure(let error)?:
            channel.loop.execute { channel.close0(error: error, mode: .all, promise: nil) }
            throw ConnectionError(connecting: error, deadline: deadline)
        case nil:
            throw .closed  // cannot happen: no other thread knows the channel
        }
    }
}
#endif
