// SPDX-License-Identifier: Apache-2.0

package enum UploadStep: Hashable, Sendable {
    /// Discard the previous response, wait, then send the request.
    ///
    /// Report ``UploadStateMachine/sent(byteCount:)``, ``UploadStateMachine/informed(_:now:isDue:)``,
    /// ``UploadStateMachine/resent()`` if the request is sent again, and then ``UploadStateMachine/received(_:now:using:)``,
    /// ``UploadStateMachine/cut(by:using:)``, ``UploadStateMachine/fileChanged()`` or ``UploadStateMachine/fileFailed()``.
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
    /// Go on sending, and complete these unreported actions before the end of the exchange; if one fails, cancel the exchange and
    /// report ``UploadStateMachine/fileFailed()``.
    case proceed([RecordStep])
    /// Cancel the exchange, and continue with this step.
    case abort(UploadStep)
}
