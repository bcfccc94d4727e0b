// SPDX-License-Identifier: Apache-2.0

extension HTTP2Violation {
    /// The document and section that state the rule, such as `"RFC 9113 §6.5.2"`.
    package var section: String {
        switch self {
        case .missingSettings: "RFC 9113 §3.4"
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

    /// A sentence that describes the violation.
    ///
    /// The sentence never contains received bytes. The wording may change.
    package var reason: String {
        switch self {
        case .frameTooLong: "The server sent a frame that is longer than the client allows."
        case .wrongFrameLength(let type): "The server sent a frame of type \(type) with a wrong length."
        case .wrongPriorityLength: "The server sent a PRIORITY frame that is not 5 bytes long."
        case .excessivePadding: "The server sent a frame whose padding does not fit in it."
        case .missingStream(let type): "The server sent a frame of type \(type) without a stream."
        case .unexpectedStream(let type): "The server sent a frame of type \(type) on a stream, not on the connection."
        case .missingSettings: "The server's first frame is not a SETTINGS frame."
        case .interruptedFieldBlock: "The server interrupted a field block with another frame."
        case .unexpectedContinuation: "The server sent a CONTINUATION frame without a field block to continue."
        case .idleStream: "The server sent a frame on a stream that the client has not opened."
        case .closedStream: "The server sent a frame on a stream that has ended."
        case .push: "The server pushed a response, although push is disabled."
        case .increasedLastStream: "The server sent a GOAWAY frame that names a higher stream than an earlier frame."
        case .invalidSetting(let identifier):
            "The server sent an invalid value for the setting with the number \(identifier)."
        case .initialWindowTooLarge: "The server set an initial flow-control window above 2^31-1 bytes."
        case .unexpectedAcknowledgement: "The server acknowledged SETTINGS that the client did not send."
        case .zeroIncrement: "The server sent a WINDOW_UPDATE frame of 0 bytes for a stream."
        case .zeroConnectionIncrement: "The server sent a WINDOW_UPDATE frame of 0 bytes for the connection."
        case .windowOverflow: "The server raised the flow-control window of a stream above 2^31-1 bytes."
        case .connectionWindowOverflow: "The server raised a flow-control window above 2^31-1 bytes."
        case .windowExceeded: "The server sent more data than the flow-control window of the stream allows."
        case .connectionWindowExceeded:
            "The server sent more data than the flow-control window of the connection allows."
        case .truncatedFieldBlock: "The server sent a field block that ends within a field."
        case .integerTooLarge: "The server sent a field block with a number that is too large."
        case .invalidFieldIndex:
            "The server sent a field block that refers to an entry that the HPACK table does not have."
        case .invalidHuffmanCode: "The server sent a field block with an invalid Huffman code."
        case .tableSizeUpdateTooLarge: "The server made the HPACK table larger than the client allows."
        case .misplacedTableSizeUpdate: "The server changed the size of the HPACK table in a wrong place, or too often."
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
        case .unexpectedUpgrade: "The server sent the status 101, which HTTP/2 does not have."
        case .endedByInterim: "The server ended the stream with an interim response."
        case .tooManyInterims(let limit): "The server sent more than \(limit) interim responses."
        case .dataBeforeHead: "The server sent data before the final response."
        case .trailersWithoutEnd: "The server sent trailers that do not end the stream."
        case .fieldsInTunnel: "The server sent fields through a tunnel, which may carry only data."
        case .invalidContentLength:
            "The response has different content-lengths, or one that is not a number below 2^63."
        case .wrongContentLength: "The response's content is longer or shorter than its content-length says."
        case .unexpectedContent: "The server sent content with a response that must not have any."
        case .fieldListTooLong(let limit), .fieldListOverDecodingLimit(let limit):
            "The response's fields take more than \(limit) bytes."
        case .tooManyFields(let limit): "The response has more than \(limit) fields."
        case .tooManyContinuations(let limit):
            "The server sent a field block in more than \(limit) CONTINUATION frames."
        case .flood(let kind): "The server sent too many \(Self.words(for: kind))."
        }
    }

    /// Returns words for the frames that used up a budget, as the object of a sentence.
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
    /// The reason, followed by the section in parentheses.
    package var description: String { "\(self.reason) (\(self.section))" }
}
