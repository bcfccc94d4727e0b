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
        case .fieldListTooLong, .fieldListEndless: "RFC 9113 §10.5.1"
        case .tooManyContinuations, .flood: "RFC 9113 §10.5"
        case .tooManyInterims: "RFC 9110 §15.2"
        case .integerTooLarge: "RFC 7541 §5.1"
        case .truncatedFieldBlock, .invalidHuffmanCode: "RFC 7541 §5.2"
        case .invalidFieldIndex: "RFC 7541 §6.1"
        case .tableSizeUpdateTooLarge: "RFC 7541 §6.3"
        case .misplacedTableSizeUpdate: "RFC 7541 §4.2"
        }
    }

    /// What was wrong, in one sentence; never holds received bytes, and its wording may change.
    package var reason: String {
        switch self {
        case .frameTooLong: "A frame is longer than the client allows."
        case .wrongFrameLength(let type): "A frame of type \(type) has a wrong length."
        case .wrongPriorityLength: "A PRIORITY frame does not have 5 bytes."
        case .excessivePadding: "The padding of a frame is as long as the frame."
        case .missingStream(let type): "A frame of type \(type) names no stream."
        case .unexpectedStream(let type): "A frame of type \(type) names a stream."
        case .missingSettings: "The first frame is not SETTINGS."
        case .interruptedFieldBlock: "A field block is interrupted by another frame."
        case .unexpectedContinuation: "A CONTINUATION frame continues nothing."
        case .idleStream: "A frame came for a stream that was never opened."
        case .closedStream: "A frame came for a stream that had ended."
        case .push: "The server pushed a response although push is disabled."
        case .increasedLastStream: "GOAWAY names a higher stream than an earlier one."
        case .invalidSetting(let identifier): "The setting \(identifier) has an invalid value."
        case .initialWindowTooLarge: "The initial window is larger than 2^31-1."
        case .unexpectedAcknowledgement: "Settings were acknowledged that the client did not send."
        case .zeroIncrement: "A WINDOW_UPDATE of a stream adds nothing."
        case .zeroConnectionIncrement: "A WINDOW_UPDATE of the connection adds nothing."
        case .windowOverflow: "The window of a stream grew beyond 2^31-1."
        case .connectionWindowOverflow: "A window grew beyond 2^31-1."
        case .windowExceeded: "More data came than the window of the stream allows."
        case .connectionWindowExceeded: "More data came than the window of the connection allows."
        case .truncatedFieldBlock: "A field block ends within a field."
        case .integerTooLarge: "A number in a field block is too large."
        case .invalidFieldIndex: "A field block refers to an entry that no table has."
        case .invalidHuffmanCode: "A string is not in the Huffman code of HPACK."
        case .tableSizeUpdateTooLarge: "The table of fields is made larger than the client allows."
        case .misplacedTableSizeUpdate: "The size of the table of fields changes where it must not."
        case .invalidFieldName: "A field name is empty, in upper case or not a token."
        case .invalidFieldValue: "A field value holds a control character."
        case .connectionSpecificField: "A field of HTTP/1.1 speaks of the connection."
        case .misplacedPseudoField: "A pseudo-field stands behind a field."
        case .repeatedPseudoField: "A pseudo-field comes twice."
        case .unknownPseudoField: "A response has a pseudo-field other than :status."
        case .pseudoFieldInTrailers: "A trailer section holds a pseudo-field."
        case .missingStatus: "A response has no :status."
        case .invalidStatus: "The :status is not three digits from 100 on."
        case .unexpectedUpgrade: "A 101 (Switching Protocols) came over HTTP/2."
        case .endedByInterim: "An interim response ended the stream."
        case .tooManyInterims(let limit): "More than \(limit) interim responses came."
        case .dataBeforeHead: "Data came before the final response."
        case .trailersWithoutEnd: "A second field block did not end the stream."
        case .fieldsInTunnel: "Fields came within a tunnel."
        case .invalidContentLength: "The content-length is not one number below 2^63."
        case .wrongContentLength: "The content has another length than announced."
        case .unexpectedContent: "Content came with a response that has none."
        case .fieldListTooLong(let limit), .fieldListEndless(let limit): "The fields take more than \(limit) bytes."
        case .tooManyContinuations(let limit): "A field block takes more than \(limit) CONTINUATION frames."
        case .flood(let kind): "Too many frames came that bring nothing: \(kind)."
        }
    }
}

extension HTTP2Violation: CustomStringConvertible {
    /// The reason, then the section.
    package var description: String { "\(self.reason) (\(self.section))" }
}
