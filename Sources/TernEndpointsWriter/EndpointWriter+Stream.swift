// SPDX-License-Identifier: Apache-2.0
import TernRequestFiles

extension EndpointWriter {
    /// Returns the lines of the call whose result is a stream of events or records.
    func callOfStream(_ request: RequestDefinition) -> [String] {
        var arguments = ["for: request"]
        let method: String
        switch request.result {
        case .reconnectingEvents:
            method = "return self.client.reconnectingEvents("
            arguments.append("lastEventID: lastEventID")
        case .decodedEvents(let type):
            method = "return try await self.client.events("
            arguments.append("as: \(type).self")
        case .decodedRecords(let type):
            method = "return try await self.client.values("
            arguments.append("as: \(type).self")
        default: method = "return try await self.client.events("
        }
        if let rule = request.finalEvent { arguments.append("until: \(rule.swift)") }
        if request.result == .reconnectingEvents { arguments.append("policy: policy") }
        if request.result.isEvents { arguments.append("options: options") }
        arguments.append("delegate: delegate")
        return Self.list(method, arguments, ")", indentation: 8)
    }
}

extension RequestDefinition.FinalEventRule {
    fileprivate var swift: String {
        switch self {
        case .data(let data): ".data(\"\(SwiftNames.literal(data))\")"
        case .event(let types): ".event(\(types.map { "\"\(SwiftNames.literal($0))\"" }.joined(separator: ", ")))"
        }
    }
}
