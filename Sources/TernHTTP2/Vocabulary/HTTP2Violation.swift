// SPDX-License-Identifier: Apache-2.0

package import HTTPTypes

/// A rule of HTTP/2 that the server broke.
///
/// Each case is one rule. Its ``section`` names the document that states the rule, its ``scope`` says whether the
/// stream or the connection has to end, and its ``code`` is the error code to send. So a driver needs no rules of its
/// own. No case contains received bytes, so a violation is safe to log.
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
    /// A frame that belongs to a stream does not name a stream.
    case missingStream(FrameType)
    /// A frame that belongs to the connection names a stream.
    case unexpectedStream(FrameType)
    /// The first frame is not SETTINGS.
    case missingSettings
    /// A field block is interrupted by another frame.
    case interruptedFieldBlock
    /// A CONTINUATION frame came without a field block to continue.
    case unexpectedContinuation

    // MARK: Streams

    /// A frame came for a stream that the client has not opened.
    case idleStream
    /// A frame came for a stream that is closed, or that the server had ended.
    case closedStream
    /// The server pushed a response, although SETTINGS_ENABLE_PUSH is 0.
    case push
    /// A GOAWAY named a higher stream than the one before.
    case increasedLastStream

    // MARK: Settings

    /// A setting has an invalid value.
    case invalidSetting(SettingIdentifier)
    /// The initial window is larger than 2^31-1.
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
    /// A WINDOW_UPDATE raised the window of the connection above 2^31-1, or SETTINGS that of a stream.
    case connectionWindowOverflow
    /// More data came than the window of the stream allows.
    case windowExceeded
    /// More data came than the window of the connection allows.
    case connectionWindowExceeded

    // MARK: HPACK

    /// A field block ends within a field.
    case truncatedFieldBlock
    /// A number is above the limit, or takes too many bytes.
    case integerTooLarge
    /// A field refers to an entry that neither table has.
    case invalidFieldIndex
    /// A string is not in the Huffman code, or its padding is not up to seven 1 bits.
    case invalidHuffmanCode
    /// The server made the table larger than SETTINGS_HEADER_TABLE_SIZE allows.
    case tableSizeUpdateTooLarge
    /// The size of the table changes within a field block, or more than twice before it.
    case misplacedTableSizeUpdate

    // MARK: Messages

    /// A field name is empty, contains an upper-case letter or is not a token.
    case invalidFieldName
    /// A field value contains a control character.
    case invalidFieldValue
    /// A field is connection-specific, such as `connection`, which HTTP/2 does not allow.
    case connectionSpecificField
    /// A pseudo-field comes after a regular field.
    case misplacedPseudoField
    /// A pseudo-field comes twice.
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
    /// A field block after the final head, the trailers, does not end the stream.
    case trailersWithoutEnd
    /// A field block came in a tunnel.
    case fieldsInTunnel
    /// A `content-length` is not a number below 2^63, or two of them differ.
    case invalidContentLength
    /// The content is not as long as its `content-length` says.
    case wrongContentLength
    /// Content came with a response that must not have any.
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
    /// The server sent too many frames that bring the client nothing; see ``FloodLimits``.
    case flood(FloodLimits.Kind)
}

extension HTTP2Violation {
    /// The part of a connection that ends because of a violation.
    package enum Scope: Hashable, Sendable {
        /// The stream: the client resets it, and all others go on (§5.4.2).
        case stream
        /// The connection: the two sides may no longer agree on its state (§5.4.1).
        case connection
    }

    /// The part of the connection that has to end.
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
            .interruptedFieldBlock, .unexpectedContinuation, .idleStream, .push, .increasedLastStream, .invalidSetting,
            .initialWindowTooLarge, .unexpectedAcknowledgement, .zeroConnectionIncrement, .connectionWindowOverflow,
            .connectionWindowExceeded, .truncatedFieldBlock, .integerTooLarge, .invalidFieldIndex, .invalidHuffmanCode,
            .tableSizeUpdateTooLarge, .misplacedTableSizeUpdate, .fieldListOverDecodingLimit, .tooManyContinuations,
            .flood:
            .connection
        }
    }

    /// The code that RST_STREAM or GOAWAY carries.
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
        case .excessivePadding, .missingStream, .unexpectedStream, .missingSettings, .interruptedFieldBlock,
            .unexpectedContinuation, .idleStream, .push, .increasedLastStream, .invalidSetting,
            .unexpectedAcknowledgement, .zeroIncrement, .zeroConnectionIncrement, .invalidFieldName, .invalidFieldValue,
            .connectionSpecificField, .misplacedPseudoField, .repeatedPseudoField, .unknownPseudoField,
            .pseudoFieldInTrailers, .missingStatus, .invalidStatus, .unexpectedUpgrade, .endedByInterim,
            .dataBeforeHead, .trailersWithoutEnd, .fieldsInTunnel, .invalidContentLength, .wrongContentLength,
            .unexpectedContent:
            .protocolError
        }
    }
}
