// SPDX-License-Identifier: Apache-2.0

package import HTTPTypes

/// A rule of HTTP/2 that the server broke.
///
/// Each case is one rule. ``section`` names the section that states the rule. ``scope`` tells whether the client must
/// end the stream or the connection, and ``code`` is the error code to send. No case contains received bytes, so a
/// violation is safe to log.
package enum HTTP2Violation: Error, Hashable, Sendable {
    // MARK: Frames

    /// A frame is longer than SETTINGS_MAX_FRAME_SIZE allows.
    case frameTooLong
    /// A frame has a length that its type does not allow.
    case wrongFrameLength(FrameType)
    /// A PRIORITY frame is not 5 bytes long.
    case wrongPriorityLength
    /// The padding is as long as the payload, or longer.
    case excessivePadding
    /// A frame has the stream identifier 0, but its type belongs to a stream.
    case missingStream(FrameType)
    /// A frame has the identifier of a stream, but its type belongs to the connection.
    case unexpectedStream(FrameType)
    /// The first frame is not SETTINGS.
    case missingSettings
    /// The server answers in HTTP/1 instead of HTTP/2.
    case answerInHTTP1
    /// Another frame came before the end of a field block.
    case interruptedFieldBlock
    /// A CONTINUATION frame came, but there was no field block to continue.
    case unexpectedContinuation

    // MARK: Streams

    /// A frame came for a stream that the client has not opened.
    case idleStream
    /// A frame came for a stream that is closed, or after the server had ended its side of the stream.
    case closedStream
    /// The server pushed a response, although SETTINGS_ENABLE_PUSH is 0.
    case push
    /// The server sent a PRIORITY_UPDATE, which only a client may send.
    case priorityUpdate
    /// A GOAWAY named a higher stream than an earlier GOAWAY.
    case increasedLastStream

    // MARK: Settings

    /// A setting has an invalid value.
    case invalidSetting(SettingIdentifier)
    /// SETTINGS_INITIAL_WINDOW_SIZE is larger than 2^31-1.
    case initialWindowTooLarge
    /// The server acknowledged SETTINGS that the client did not send.
    case unexpectedAcknowledgement

    // MARK: Flow control

    /// A WINDOW_UPDATE adds 0 bytes to the window of a stream.
    case zeroIncrement
    /// A WINDOW_UPDATE adds 0 bytes to the window of the connection.
    case zeroConnectionIncrement
    /// A WINDOW_UPDATE raised the window of a stream above 2^31-1.
    case windowOverflow
    /// A WINDOW_UPDATE raised the window of the connection above 2^31-1, or SETTINGS raised the window of a stream
    /// above 2^31-1.
    case connectionWindowOverflow
    /// More data came than the window of the stream allows.
    case windowExceeded
    /// More data came than the window of the connection allows.
    case connectionWindowExceeded

    // MARK: HPACK

    /// A field block ends within a field.
    case truncatedFieldBlock
    /// An HPACK integer is above the limit, or takes too many bytes.
    case integerTooLarge
    /// A field refers to a table entry that does not exist.
    case invalidFieldIndex
    /// A string is not valid in the Huffman code, or its padding is longer than seven bits or contains a 0 bit.
    case invalidHuffmanCode
    /// The server made the dynamic table larger than the client's SETTINGS_HEADER_TABLE_SIZE allows.
    case tableSizeUpdateTooLarge
    /// The server changed the size of the dynamic table within a field block, or more than twice at its beginning.
    case misplacedTableSizeUpdate

    // MARK: Messages

    /// A field name is empty, contains an upper-case letter or is not a token.
    case invalidFieldName
    /// A field value contains a control character.
    case invalidFieldValue
    /// A field is connection-specific, such as `connection`. HTTP/2 does not allow such fields.
    case connectionSpecificField
    /// A pseudo-field came after a regular field.
    case misplacedPseudoField
    /// A pseudo-field came twice.
    case repeatedPseudoField
    /// A pseudo-field other than `:status` came.
    case unknownPseudoField
    /// A trailer section contains a pseudo-field.
    case pseudoFieldInTrailers
    /// A response has no `:status`.
    case missingStatus
    /// `:status` is not a number of three digits from 100 to 999.
    case invalidStatus
    /// A 101 (Switching Protocols) came, which HTTP/2 does not have.
    case unexpectedUpgrade
    /// An interim response ended the stream.
    case endedByInterim
    /// The server sent more interim responses than ``HTTP2Limits/maximumInterimCount``.
    case tooManyInterims(limit: Int)
    /// Data came before the final response.
    case dataBeforeHead
    /// The trailers, a field block after the final head, do not end the stream.
    case trailersWithoutEnd
    /// A field block came on a stream that is a tunnel.
    case fieldsInTunnel
    /// A `content-length` is not a number below 2^63, or two `content-length` fields differ.
    case invalidContentLength
    /// The content is longer or shorter than its `content-length` says.
    case wrongContentLength
    /// Content came with a response that must not have content.
    case unexpectedContent

    // MARK: Limits

    /// A field list is longer than ``HTTP2Limits/maximumFieldListByteCount``.
    case fieldListTooLong(limit: Int)
    /// A field list has more fields than ``HTTP2Limits/maximumFieldCount``.
    case tooManyFields(limit: Int)
    /// A field list or its block is longer than ``HTTP2Limits/maximumDecodedFieldListByteCount``.
    case fieldListOverDecodingLimit(limit: Int)
    /// A field block has more CONTINUATION frames than ``HTTP2Limits/maximumContinuationCount``.
    case tooManyContinuations(limit: Int)
    /// The server sent too many frames that make work for the client and carry no response; see ``FloodLimits``.
    case flood(FloodLimits.Kind)
}

extension HTTP2Violation {
    /// The part of a connection that the client must end because of a violation.
    package enum Scope: Hashable, Sendable {
        /// The stream: the client resets it, and the other streams go on (RFC 9113 §5.4.2).
        case stream
        /// The connection: client and server may no longer agree on its state (RFC 9113 §5.4.1).
        case connection
    }

    /// The part of the connection that the client must end.
    package var scope: Scope {
        switch self {
        case .wrongPriorityLength, .closedStream, .zeroIncrement, .windowOverflow, .windowExceeded, .invalidFieldName,
            .invalidFieldValue, .connectionSpecificField, .misplacedPseudoField, .repeatedPseudoField,
            .unknownPseudoField, .pseudoFieldInTrailers, .missingStatus, .invalidStatus, .unexpectedUpgrade,
            .endedByInterim, .tooManyInterims, .dataBeforeHead, .trailersWithoutEnd, .fieldsInTunnel,
            .invalidContentLength, .wrongContentLength, .unexpectedContent, .fieldListTooLong,
            .tooManyFields:
            .stream
        case .frameTooLong, .wrongFrameLength, .excessivePadding, .missingStream, .unexpectedStream, .missingSettings,
            .answerInHTTP1, .interruptedFieldBlock, .unexpectedContinuation, .idleStream, .push, .priorityUpdate,
            .increasedLastStream,
            .invalidSetting, .initialWindowTooLarge, .unexpectedAcknowledgement, .zeroConnectionIncrement,
            .connectionWindowOverflow, .connectionWindowExceeded, .truncatedFieldBlock, .integerTooLarge,
            .invalidFieldIndex, .invalidHuffmanCode,
            .tableSizeUpdateTooLarge, .misplacedTableSizeUpdate, .fieldListOverDecodingLimit, .tooManyContinuations,
            .flood:
            .connection
        }
    }

    /// The error code to send in RST_STREAM or GOAWAY.
    package var code: HTTP2ErrorCode {
        switch self {
        case .frameTooLong, .wrongFrameLength, .wrongPriorityLength: .frameSizeError
        case .closedStream: .streamClosed
        case .initialWindowTooLarge, .windowOverflow, .connectionWindowOverflow, .windowExceeded,
            .connectionWindowExceeded:
            .flowControlError
        case .truncatedFieldBlock, .integerTooLarge, .invalidFieldIndex, .invalidHuffmanCode, .tableSizeUpdateTooLarge,
            .misplacedTableSizeUpdate:
            .compressionError
        case .tooManyInterims, .fieldListTooLong, .tooManyFields, .fieldListOverDecodingLimit, .tooManyContinuations,
            .flood:
            .enhanceYourCalm
        case .excessivePadding, .missingStream, .unexpectedStream, .missingSettings, .answerInHTTP1,
            .interruptedFieldBlock, .unexpectedContinuation, .idleStream, .push, .priorityUpdate, .increasedLastStream,
            .invalidSetting,
            .unexpectedAcknowledgement, .zeroIncrement, .zeroConnectionIncrement, .invalidFieldName, .invalidFieldValue,
            .connectionSpecificField, .misplacedPseudoField, .repeatedPseudoField, .unknownPseudoField,
            .pseudoFieldInTrailers, .missingStatus, .invalidStatus, .unexpectedUpgrade, .endedByInterim,
            .dataBeforeHead, .trailersWithoutEnd, .fieldsInTunnel, .invalidContentLength, .wrongContentLength,
            .unexpectedContent:
            .protocolError
        }
    }
}
