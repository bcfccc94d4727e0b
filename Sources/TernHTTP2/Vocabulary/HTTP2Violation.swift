// SPDX-License-Identifier: Apache-2.0

package import HTTPTypes

/// A rule of HTTP/2 that the server broke; no case contains received bytes, so a violation is safe to log.
package enum HTTP2Violation: Error, Hashable, Sendable {
    // MARK: Frames

    case frameTooLong
    case wrongFrameLength(FrameType)
    case wrongPriorityLength
    /// The padding and the byte with its length are longer than the payload.
    case excessivePadding
    case missingStream(FrameType)
    case unexpectedStream(FrameType)
    /// The first frame is not SETTINGS, or only acknowledges SETTINGS.
    case missingSettings
    case answerInHTTP1
    case interruptedFieldBlock
    case unexpectedContinuation

    // MARK: Streams

    case idleStream
    /// A frame came for a stream that is closed, or after the server had ended its side of the stream.
    case closedStream
    /// A PUSH_PROMISE came, although SETTINGS_ENABLE_PUSH is 0.
    case push
    case priorityUpdate
    /// A GOAWAY named a higher stream than an earlier GOAWAY.
    case increasedLastStream

    // MARK: Settings

    case invalidSetting(SettingIdentifier)
    /// SETTINGS_INITIAL_WINDOW_SIZE is larger than 2^31-1.
    case initialWindowTooLarge
    case unexpectedAcknowledgement

    // MARK: Flow control

    case zeroIncrement
    case zeroConnectionIncrement
    /// A WINDOW_UPDATE raised the window of a stream above 2^31-1.
    case windowOverflow
    /// A WINDOW_UPDATE raised the window of the connection, or SETTINGS that of a stream, above 2^31-1.
    case connectionWindowOverflow
    case windowExceeded
    case connectionWindowExceeded

    // MARK: HPACK

    case truncatedFieldBlock
    /// An HPACK integer is above the limit, or takes too many bytes.
    case integerTooLarge
    case invalidFieldIndex
    /// A string is not valid in the Huffman code, or its padding is longer than seven bits or contains a 0 bit.
    case invalidHuffmanCode
    case tableSizeUpdateTooLarge
    /// The server changed the size of the dynamic table within a field block, or more than twice at its beginning.
    case misplacedTableSizeUpdate

    // MARK: Messages

    case invalidFieldName
    case invalidFieldValue
    case connectionSpecificField
    case misplacedPseudoField
    case repeatedPseudoField
    /// A pseudo-field other than `:status` came.
    case unknownPseudoField
    case pseudoFieldInTrailers
    case missingStatus
    /// `:status` is not a number of three digits from 100 to 999.
    case invalidStatus
    /// A 101 (Switching Protocols) came, which HTTP/2 does not have.
    case unexpectedUpgrade
    case endedByInterim
    case tooManyInterims(limit: Int)
    case dataBeforeHead
    /// The trailers, a field block after the final head, do not end the stream.
    case trailersWithoutEnd
    case fieldsInTunnel
    /// A `content-length` is not a number below 2^63, or two `content-length` fields differ.
    case invalidContentLength
    /// The content is longer or shorter than its `content-length` says.
    case wrongContentLength
    case unexpectedContent

    // MARK: Limits

    case fieldListTooLong(limit: Int)
    case tooManyFields(limit: Int)
    /// A field list or its block is longer than `limit` bytes.
    case fieldListOverDecodingLimit(limit: Int)
    case tooManyContinuations(limit: Int)
    /// Too many frames that make work for the client and carry no response came; see ``FloodLimits``.
    case flood(FloodLimits.Kind)
}

extension HTTP2Violation {
    package enum Scope: Hashable, Sendable {
        /// The violation concerns only its stream (RFC 9113 §5.4.2).
        case stream
        /// The violation ends the connection (RFC 9113 §5.4.1).
        case connection
    }

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
