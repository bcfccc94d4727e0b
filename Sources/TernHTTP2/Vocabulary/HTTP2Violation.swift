// SPDX-License-Identifier: Apache-2.0

package import HTTPTypes

/// A rule of HTTP/2 that the server broke.
///
/// Each case is one rule, with the ``section`` that states it, the ``scope`` of what has to end, and the ``code`` that
/// answers it, so that a driver needs no rules of its own. No case holds received bytes, so a violation is safe to log.
package enum HTTP2Violation: Error, Hashable, Sendable {
    // MARK: Frames

    /// A frame is longer than SETTINGS_MAX_FRAME_SIZE allows.
    case frameTooLong
    /// A frame has another length than its type asks for.
    case wrongFrameLength(FrameType)
    /// A PRIORITY frame does not have 5 bytes.
    case wrongPriorityLength
    /// The padding takes the whole frame, or more.
    case excessivePadding
    /// A frame that belongs to a stream names none.
    case missingStream(FrameType)
    /// A frame that belongs to the connection names a stream.
    case unexpectedStream(FrameType)
    /// The first frame is not SETTINGS.
    case missingSettings
    /// A field block is interrupted by another frame.
    case interruptedFieldBlock
    /// A CONTINUATION frame continues nothing.
    case unexpectedContinuation

    // MARK: Streams

    /// A frame came for a stream that was never opened.
    case idleStream
    /// A frame came for a stream that is closed, or that the server had ended.
    case closedStream
    /// The server pushed a response, although SETTINGS_ENABLE_PUSH is 0.
    case push
    /// GOAWAY named a higher stream than before.
    case increasedLastStream

    // MARK: Settings

    /// A setting has a value that it must not have.
    case invalidSetting(SettingIdentifier)
    /// The initial window is larger than 2^31-1.
    case initialWindowTooLarge
    /// SETTINGS were acknowledged that were never sent.
    case unexpectedAcknowledgement

    // MARK: Flow control

    /// A WINDOW_UPDATE of a stream adds nothing.
    case zeroIncrement
    /// A WINDOW_UPDATE of the connection adds nothing.
    case zeroConnectionIncrement
    /// The window of a stream grew beyond 2^31-1.
    case windowOverflow
    /// The window of the connection grew beyond 2^31-1, or that of a stream by SETTINGS.
    case connectionWindowOverflow
    /// More data came than the window of the stream allows.
    case windowExceeded
    /// More data came than the window of the connection allows.
    case connectionWindowExceeded

    // MARK: HPACK

    /// A field block ends within a field.
    case truncatedFieldBlock
    /// A number is larger than is read, or written in more bytes.
    case integerTooLarge
    /// A field refers to an entry that is in no table.
    case invalidFieldIndex
    /// A string is not in the Huffman code, or is padded by anything but up to seven 1 bits.
    case invalidHuffmanCode
    /// The table is made larger than SETTINGS_HEADER_TABLE_SIZE allows.
    case tableSizeUpdateTooLarge
    /// The size of the table is changed within a field block, or more often than needed.
    case misplacedTableSizeUpdate

    // MARK: Messages

    /// A name is empty, or holds an upper-case letter or what no token holds.
    case invalidFieldName
    /// A value holds a control character.
    case invalidFieldValue
    /// A field of HTTP/1.1 speaks of the connection.
    case connectionSpecificField
    /// A pseudo-field stands behind a field.
    case misplacedPseudoField
    /// A pseudo-field comes twice.
    case repeatedPseudoField
    /// A pseudo-field other than `:status` came.
    case unknownPseudoField
    /// A trailer section holds a pseudo-field.
    case pseudoFieldInTrailers
    /// A response has no `:status`.
    case missingStatus
    /// `:status` is not three digits from 100 on.
    case invalidStatus
    /// A 101 (Switching Protocols) came, which HTTP/2 does not have.
    case unexpectedUpgrade
    /// An interim response ended the stream.
    case endedByInterim
    /// More interim responses came than ``HTTP2Limits/maximumInterimCount``.
    case tooManyInterims(limit: Int)
    /// Data came before the final response.
    case dataBeforeHead
    /// A second field block came that does not end the stream.
    case trailersWithoutEnd
    /// A frame other than DATA came in a tunnel.
    case fieldsInTunnel
    /// A `content-length` is no number, or two differ.
    case invalidContentLength
    /// The content has another length than its `content-length` says.
    case wrongContentLength
    /// Content came with a response that has none.
    case unexpectedContent

    // MARK: Limits

    /// A field list is longer than ``HTTP2Limits/maximumFieldListByteCount``.
    case fieldListTooLong(limit: Int)
    /// A field list is longer than ``HTTP2Limits/largestFieldListByteCount``, or its block is.
    case fieldListEndless(limit: Int)
    /// A field block came in more frames than ``HTTP2Limits/maximumContinuationCount``.
    case tooManyContinuations(limit: Int)
    /// Frames that bring nothing came too often.
    case flood(FloodLimits.Kind)
}

extension HTTP2Violation {
    /// What has to end because of a violation.
    package enum Scope: Hashable, Sendable {
        /// The stream: it is reset, and all others go on (§5.4.2).
        case stream
        /// The connection: what both sides know of it may differ (§5.4.1).
        case connection
    }

    /// What has to end.
    package var scope: Scope {
        switch self {
        case .wrongPriorityLength, .closedStream, .zeroIncrement, .windowOverflow, .windowExceeded, .invalidFieldName,
            .invalidFieldValue, .connectionSpecificField, .misplacedPseudoField, .repeatedPseudoField,
            .unknownPseudoField, .pseudoFieldInTrailers, .missingStatus, .invalidStatus, .unexpectedUpgrade,
            .endedByInterim, .tooManyInterims, .dataBeforeHead, .trailersWithoutEnd, .fieldsInTunnel,
            .invalidContentLength, .wrongContentLength, .unexpectedContent, .fieldListTooLong:
            .stream
        case .frameTooLong, .wrongFrameLength, .excessivePadding, .missingStream, .unexpectedStream, .missingSettings,
            .interruptedFieldBlock, .unexpectedContinuation, .idleStream, .push, .increasedLastStream, .invalidSetting,
            .initialWindowTooLarge, .unexpectedAcknowledgement, .zeroConnectionIncrement, .connectionWindowOverflow,
            .connectionWindowExceeded, .truncatedFieldBlock, .integerTooLarge, .invalidFieldIndex, .invalidHuffmanCode,
            .tableSizeUpdateTooLarge, .misplacedTableSizeUpdate, .fieldListEndless, .tooManyContinuations, .flood:
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
        case .tooManyInterims, .fieldListTooLong, .fieldListEndless, .tooManyContinuations, .flood: .enhanceYourCalm
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
