// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import Tern
import TernFoundation
import TernRequestFiles

struct StreamPrinter: Sendable {
    var output = OutputWriter()
    /// Whether to show the types of events, too, because the output is a terminal.
    var isTerminal = System.isTerminal(System.standardOutput)
    var limit: Int?
    var isJSON = false
    var isQuiet = false
    var includesHead = false
    var hidesBody = false

    func print(_ definition: RequestDefinition, _ request: Request, _ client: Client) async throws -> CallReport {
        var report =
            definition.result.isEvents
            ? try await self.printEvents(definition, request, client) : try await self.printRecords(request, client)
        if self.hidesBody { report.body = nil }
        if self.isQuiet, report.outcome == .ok { report.message = nil }
        return report
    }

    private func printEvents(
        _ definition: RequestDefinition,
        _ request: Request,
        _ client: Client
    ) async throws -> CallReport {
        var options = try EventOptions.parse([])
        options.limit = self.limit
        options.reconnect = definition.result == .reconnectingEvents
        switch definition.finalEvent {
        case .data(let data)?: options.untilData = [data]
        case .event(let types)?: options.untilEvent = types
        case nil: break
        }
        let session = EventSession(
            options: options,
            display: EventDisplay(
                format: self.isJSON ? .json : self.isTerminal ? .terminal : .data,
                output: self.output,
                showsStates: options.reconnect,
                isQuiet: self.isQuiet
            ),
            check: { _ throws(CommandFailure) in },
            onResponse: { response in
                if self.includesHead { self.output.enqueue(self.output.shown(response.head).utf8) }
            }
        )
        return try await session.run(request, by: client)
    }

    private func printRecords(_ request: Request, _ client: Client) async throws -> CallReport {
        let records: DecodedRecords<String>
        do throws(ClientError) {
            records = try await client.values(for: request, as: String.self, by: RecordTextDecoder())
        } catch {
            guard case .validationFailed(let failure, let context) = error else { throw error }
            var report = CallReport(error)
            report.refuse(failure, context.response)
            return report
        }
        var (count, byteCount) = (0, Int64(0))
        try await self.output.whileRead {
            if self.includesHead { try await self.output.write(self.output.shown(records.response.head).utf8) }
            for try await record in records {
                count += 1
                byteCount += Int64(record.utf8.count + 1)
                try await self.output.write(line: self.output.shown(record))
                if count == self.limit { break }
            }
        }
        return CallReport(records.response, bytes: byteCount)
    }
}

/// Returns each record as its text, on one line.
private struct RecordTextDecoder: BodyDecoder {
    var accept: String? { nil }

    func decode<Value: Decodable>(_ type: Value.Type, from body: Data, of response: Response) throws -> Value {
        // In JSON, a line break is white space between two tokens.
        let bytes = body.map { $0 == 0x0A || $0 == 0x0D ? 0x20 : $0 }
        guard let text = String(decoding: bytes, as: UTF8.self) as? Value else {
            preconditionFailure("a record must be decoded as text")
        }
        return text
    }
}
