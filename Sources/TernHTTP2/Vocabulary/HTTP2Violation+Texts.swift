// SPDX-License-Identifier: Apache-2.0

extension HTTP2Violation {
    package var section: String {
        switch self {
        case .missingSettings, .answerInHTTP1: "RFC 9113 §3.4"
        case .frameTooLong: "RFC 9113 §4.2"
        case .interruptedFieldBlock: "RFC 9113 §4.3"
        case .idleStream, .closedStream: "RFC 9113 §5.1"
        case .excessivePadding: "RFC 9113 §6.1"
        case .wrongPriorityLength: "RFC 9113 §6.3"
        case .wrongFrameLength(let type), .missingStream(let type), .unexpectedStream(let type): type.section
        case .unexpectedAcknowledgement: "RFC 9113 §6.5.3"
        case .invalidSetting(.enableConnectProtocol): "RFC 8441 §3"
        case .invalidSetting(.noRFC7540Priorities): "RFC 9218 §2.1"
        case .invalidSetting, .initialWindowTooLarge: "RFC 9113 §6.5.2"
        case .push: "RFC 9113 §6.6"
        case .priorityUpdate: "RFC 9218 §7.1"
        case .increasedLastStream: "RFC 9113 §6.8"
        case .zeroIncrement, .zeroConnectionIncrement: "RFC 9113 §6.9"
        case .windowOverflow, .connectionWindowOverflow, .windowExceeded, .connectionWindowExceeded:
            "RFC 9113 §6.9.1"
        case .unexpectedContinuation: "RFC 9113 §6.10"
        case .endedByInterim, .dataBeforeHead, .trailersWithoutEnd, .pseudoFieldInTrailers: "RFC 9113 §8.1"
        case .invalidContentLength, .wrongContentLength, .unexpectedContent: "RFC 9113 §8.1.1"
        case .invalidFieldName, .invalidFieldValue: "RFC 9113 §8.2.1"
        case .connectionSpecificField: "RFC 9113 §8.2.2"
        case .misplacedPseudoField, .repeatedPseudoField, .unknownPseudoField: "RFC 9113 §8.3"
        case .missingStatus, .invalidStatus: "RFC 9113 §8.3.2"
        case .fieldsInTunnel: "RFC 9113 §8.5"
        case .unexpectedUpgrade: "RFC 9113 §8.6"
        case .fieldListTooLong, .tooManyFields, .fieldListOverDecodingLimit: "RFC 9113 §10.5.1"
        case .tooManyContinuations, .flood: "RFC 9113 §10.5"
        case .tooManyInterims: "RFC 9110 §15.2"
        case .integerTooLarge: "RFC 7541 §5.1"
        case .truncatedFieldBlock, .invalidHuffmanCode: "RFC 7541 §5.2"
        case .invalidFieldIndex: "RFC 7541 §6.1"
        case .tableSizeUpdateTooLarge: "RFC 7541 §6.3"
        case .misplacedTableSizeUpdate: "RFC 7541 §4.2"
        }
    }

    /// A sentence that describes the violation, without received bytes; its wording is not stable.
    package var reason: String {
        switch self {
        case .frameTooLong: "A frame is longer than the client allows."
        case .wrongFrameLength(let type): "A frame of type \(type) has a wrong length."
        case .wrongPriorityLength: "A PRIORITY frame is not 5 bytes long."
        case .excessivePadding: "The padding of a frame does not fit in it."
        case .missingStream(let type): "A frame of type \(type) belongs to no stream."
        case .unexpectedStream(let type): "A frame of type \(type) belongs to a stream instead of the connection."
        case .missingSettings: "The first frame is not a SETTINGS frame."
        case .answerInHTTP1: "The server answers in HTTP/1 and not in HTTP/2, which the client speaks without asking."
        case .interruptedFieldBlock: "Another frame interrupts a field block."
        case .unexpectedContinuation: "A CONTINUATION frame comes without a field block to continue."
        case .idleStream: "A frame belongs to a stream that the client has not opened."
        case .closedStream: "A frame belongs to a stream that has ended."
        case .push: "A response was pushed, although push is disabled."
        case .priorityUpdate: "The server sent a PRIORITY_UPDATE frame, which only a client may send."
        case .increasedLastStream: "A GOAWAY frame names a higher stream than an earlier GOAWAY frame did."
        case .invalidSetting(let identifier): "The setting with the number \(identifier) has an invalid value."
        case .initialWindowTooLarge: "The initial flow-control window is above 2^31-1 bytes."
        case .unexpectedAcknowledgement: "A SETTINGS frame acknowledges settings that the client did not send."
        case .zeroIncrement: "A WINDOW_UPDATE frame adds 0 bytes to the window of a stream."
        case .zeroConnectionIncrement: "A WINDOW_UPDATE frame adds 0 bytes to the window of the connection."
        case .windowOverflow: "The flow-control window of a stream was raised above 2^31-1 bytes."
        case .connectionWindowOverflow: "A flow-control window was raised above 2^31-1 bytes."
        case .windowExceeded: "More data arrived than the flow-control window of the stream allows."
        case .connectionWindowExceeded:
            "More data arrived than the flow-control window of the connection allows."
        case .truncatedFieldBlock: "A field block ends within a field."
        case .integerTooLarge: "A field block contains a number that is too large."
        case .invalidFieldIndex: "A field block refers to an entry that the HPACK table does not have."
        case .invalidHuffmanCode: "A field block contains an invalid Huffman code."
        case .tableSizeUpdateTooLarge: "A field block makes the HPACK table larger than the client allows."
        case .misplacedTableSizeUpdate:
            "A field block changes the size of the HPACK table in a wrong place, or too often."
        case .invalidFieldName:
            "The response has a field name that is empty, or contains an upper-case letter or a forbidden character."
        case .invalidFieldValue: "The response has a field value with a control character."
        case .connectionSpecificField: "The response has a connection-specific field, which HTTP/2 does not allow."
        case .misplacedPseudoField: "The response has a pseudo-field after a regular field."
        case .repeatedPseudoField: "The response has the same pseudo-field twice."
        case .unknownPseudoField: "The response has a pseudo-field other than :status."
        case .pseudoFieldInTrailers: "The response has a pseudo-field in its trailers."
        case .missingStatus: "The response has no :status."
        case .invalidStatus: "The response has a :status that is not a number from 100 to 999."
        case .unexpectedUpgrade: "The response has the status 101, which does not exist in HTTP/2."
        case .endedByInterim: "The stream ends with an interim response."
        case .tooManyInterims(let limit): "More than \(limit) interim responses arrived."
        case .dataBeforeHead: "Data arrived before the final response."
        case .trailersWithoutEnd: "The trailers do not end the stream."
        case .fieldsInTunnel: "Fields arrived through a tunnel, which may carry only data."
        case .invalidContentLength:
            "The response has different content-lengths, or one that is not a number below 2^63."
        case .wrongContentLength: "The response's content is longer or shorter than its content-length says."
        case .unexpectedContent: "The response has content, although it must not have any."
        case .fieldListTooLong(let limit), .fieldListOverDecodingLimit(let limit):
            "The response's fields take more than \(limit) bytes."
        case .tooManyFields(let limit): "The response has more than \(limit) fields."
        case .tooManyContinuations(let limit): "A field block has more than \(limit) CONTINUATION frames."
        case .flood(let kind): "There are too many \(Self.words(for: kind))."
        }
    }

    private static func words(for kind: FloodLimits.Kind) -> String {
        switch kind {
        case .ping: "PING frames"
        case .settings: "SETTINGS frames"
        case .reset: "RST_STREAM frames"
        case .emptyData: "DATA frames without content"
        case .windowUpdate: "WINDOW_UPDATE frames"
        case .ignored: "frames that the client ignores"
        case .malformed: "frames or messages that break a rule"
        }
    }
}

extension HTTP2Violation: CustomStringConvertible {
    package var description: String { "\(self.reason) (\(self.section))" }
}
