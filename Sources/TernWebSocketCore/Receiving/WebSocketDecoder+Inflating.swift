// SPDX-License-Identifier: Apache-2.0

internal import TernCompression

extension WebSocketDecoder {
    mutating func beginInflating() throws(WebSocketViolation) {
        guard let agreement = self.deflate else {
            preconditionFailure("a compressed frame needs negotiated compression")
        }
        if !self.hasInflater {
            do throws(CompressionError) {
                self.inflater = try MessageInflater(agreement)
            } catch {
                throw .cannotInflate
            }
            self.hasInflater = true
        }
        self.inflater?.begin()
    }

    mutating func inflate(
        _ input: RawSpan,
        _ position: inout Int,
        _ output: inout OutputRawSpan
    ) throws(WebSocketViolation) -> Step? {
        guard case .payload(let remaining, let isFinal) = self.state, let kind = self.message?.kind else {
            preconditionFailure("only the frames of a message can be inflated")
        }
        let start = output.byteCount
        let part = input.extracting(position..<position + min(remaining, input.byteCount - position))
        if output.isFull {
            let hasWork = self.hasPendingOutput || !part.isEmpty || remaining == 0
            return Step(consumedByteCount: position, needsOutput: hasWork)
        }
        let progress = try self.inflate(part, into: &output)
        let written = output.byteCount - start
        let rest = remaining - progress.consumedByteCount
        position += progress.consumedByteCount
        self.state = .payload(remaining: rest, isFinal: isFinal)
        self.hasPendingOutput = progress.status == .needsOutput
        if self.hasPendingOutput || rest > 0 {
            let event: Event? = written > 0 ? .inflated(kind, byteCount: written, isFinal: false) : nil
            return Step(consumedByteCount: position, event: event, needsOutput: self.hasPendingOutput)
        }
        self.state = .frameStart
        if isFinal {
            try self.finishInflating(into: &output)
        } else if written == 0 {
            return nil
        }
        return Step(consumedByteCount: position, event: .inflated(kind, byteCount: written, isFinal: isFinal))
    }

    private mutating func inflate(
        _ part: RawSpan,
        into output: inout OutputRawSpan
    ) throws(WebSocketViolation) -> Inflater.Progress {
        let start = output.byteCount
        var progress = Inflater.Progress(consumedByteCount: 0, status: .needsInput)
        var failure: InflateViolation?
        do throws(InflateViolation) {
            progress = try self.inflater?.inflate(part, into: &output) ?? progress
        } catch {
            failure = error
        }
        // First check the bytes that were inflated before the failure, so that the reported violation does not depend on how the
        // input is split.
        try self.account(for: output.bytes.extracting(droppingFirst: start))
        switch failure {
        case nil: return progress
        case .outOfMemory: throw .cannotInflate
        case .corrupt, .needsDictionary: throw .corruptCompression
        }
    }

    /// Adds inflated bytes to the message's length, and checks the text before the limit, because its bytes came first.
    private mutating func account(for bytes: RawSpan) throws(WebSocketViolation) {
        guard let message = self.message else { return }
        let room = self.limits.maximumMessageByteCount - message.byteCount
        if message.kind == .text { try self.checkText(bytes.extracting(first: room), isFinal: false) }
        guard bytes.byteCount <= room else {
            throw .messageTooLong(limit: self.limits.maximumMessageByteCount)
        }
        self.message?.byteCount += bytes.byteCount
    }

    private mutating func finishInflating(into output: inout OutputRawSpan) throws(WebSocketViolation) {
        do throws(InflateViolation) {
            guard try self.inflater?.finish(into: &output) ?? true else { throw .corrupt(message: "") }
        } catch {
            throw .corruptCompression
        }
        guard self.message?.kind != .text || self.text.isComplete else { throw .invalidText }
        self.message = nil
    }
}
