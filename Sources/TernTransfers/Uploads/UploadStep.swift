// SPDX-License-Identifier: Apache-2.0

package enum UploadStep: Hashable, Sendable {
    /// Discard the previous response, wait, then send the request.
    ///
    /// Report each event of the exchange, for example with ``UploadStateMachine/sent(byteCount:)``, and its end, for example with
    /// ``UploadStateMachine/received(_:now:using:)``.
    case send(UploadRequest, after: Duration)
    /// Report ``UploadStateMachine/performed()`` or ``UploadStateMachine/fileFailed()``; keep the last response, with the rest of
    /// its body, for ``UploadOutcome/answered(_:)``.
    case perform(RecordStep)
    case end(UploadOutcome)
}

/// An action on the record or its folder; it must be complete before the next one begins, to keep the record true after a crash.
package enum RecordStep: Hashable, Sendable {
    /// Write the record to a temporary file of mode 0600, synchronize that file, and rename it to the name of the record.
    case write(UploadRecord)
    case discard
    case synchronizeFolder
    /// See ``UploadStateMachine/confirms``.
    case confirm
}

package enum InformationalAction: Hashable, Sendable {
    /// Continue the exchange, and complete these actions before its end, without a report for each; if one fails, cancel the
    /// exchange and report ``UploadStateMachine/fileFailed()``.
    case proceed([RecordStep])
    /// Cancel the exchange, and continue with this step.
    case abort(UploadStep)
}
