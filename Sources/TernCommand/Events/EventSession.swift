// SPDX-License-Identifier: Apache-2.0
import Tern

struct EventSession: Sendable {
    let options: EventOptions
    let display: EventDisplay
    /// Ends the session if the number of bytes of data and comments is too large.
    let check: @Sendable (Int64) throws(CommandFailure) -> Void
    let onResponse: @Sendable (Response) -> Void

    /// Runs until the stream ends, the limit of events is reached, or the reader of the output is gone.
    func run(_ request: Request, by client: Client) async throws -> CallReport {
        var progress = Progress()
        let elements = client.reconnectingEvents(
            for: request,
            lastEventID: self.options.lastEventID ?? "",
            until: self.options.finalEvent,
            policy: self.options.policy,
            options: self.options.streamOptions
        )
        do {
            try await self.display.output.whileRead {
                for try await element in elements {
                    guard try await self.show(element, &progress) else { break }
                }
            }
        } catch let error as ClientError {
            return progress.report(error, expectsFinalEvent: self.options.finalEvent != nil)
        }
        return progress.report()
    }

    private func show(_ element: ReconnectingEventStream.Element, _ progress: inout Progress) async throws -> Bool {
        switch element {
        case .connected(let response):
            self.onResponse(response)
            try await self.display.connected(response, isFirst: progress.response == nil)
            progress.response = response
        case .disconnected(let disconnection, let attempt):
            try await self.display.disconnected(disconnection, attempt: attempt)
        case .event(let event):
            progress.byteCount += Int64(event.data.utf8.count + (event.comment?.utf8.count ?? 0) + 1)
            try self.check(progress.byteCount)
            if event.comment == nil {
                progress.count += 1
                progress.lastEventID = event.id
            }
            if self.options.isShown(event) { try await self.display.show(event) }
            return event.comment != nil || progress.count != self.options.limit
        }
        return true
    }
}

extension EventSession {
    private struct Progress {
        var response: Response?
        var count = 0
        var byteCount: Int64 = 0
        var lastEventID = ""

        func report() -> CallReport {
            guard let response else { return CallReport() }
            var report = CallReport(response, bytes: self.byteCount)
            report.events = self.count
            if response.statusCode == 204 { report.message = "the server answered 204: there are no more events" }
            return report
        }

        func report(_ error: ClientError, expectsFinalEvent: Bool) -> CallReport {
            var report = CallReport(error)
            if self.response != nil { report.events = self.count }
            if case .validationFailed(let failure, let context) = error {
                report.refuse(failure, context.response)
                return report
            }
            if case .truncated = error, expectsFinalEvent { report.advise("the final event did not arrive") }
            if !self.lastEventID.isEmpty, self.lastEventID.utf8.allSatisfy(Self.isPlain) {
                let option = "--last-event-id \(self.lastEventID)"
                report.advise("'tern-cli events \(option)' continues after the last event")
            }
            return report
        }

        /// Returns whether a shell leaves a character as it is.
        private static func isPlain(_ byte: UInt8) -> Bool {
            switch byte {
            case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "a")...UInt8(ascii: "z"):
                true
            default: "-._:/,+@%".utf8.contains(byte)
            }
        }
    }
}
