// SPDX-License-Identifier: Apache-2.0

/// The next action of the driver of an upload.
package enum UploadStep: Hashable, Sendable {
    /// Wait this long, then send the request.
    ///
    /// Report ``UploadStateMachine/sent(byteCount:)`` while the content is sent,
    /// ``UploadStateMachine/informed(_:now:isDue:)`` for each informational response,
    /// ``UploadStateMachine/resent()`` if the request is sent again after a challenge or a redirect, and then
    /// ``UploadStateMachine/received(_:now:using:)`` or ``UploadStateMachine/cut(by:using:)``. Discard the previous
    /// response, if any.
    case send(UploadRequest, after: Duration)
    /// Perform the action on the record, then report ``UploadStateMachine/performed()`` or
    /// ``UploadStateMachine/fileFailed()``.
    ///
    /// Keep the last response, with the rest of its body: ``UploadOutcome/answered(_:)`` may follow.
    case perform(RecordStep)
    /// The call is over.
    case end(UploadOutcome)
}

/// An action on the record of an upload or its folder.
///
/// Each action must be complete before the next one begins, because their order keeps the record true after a crash.
package enum RecordStep: Hashable, Sendable {
    /// Write the record to a temporary file of mode 0600, synchronize that file, and rename it to the name of the
    /// record.
    case write(UploadRecord)
    /// Delete the record, if it exists.
    case discard
    /// Synchronize the folder, so that earlier renames and deletions are on the disk.
    case synchronizeFolder
    /// Let the owner of the call store that the upload has its answer; see ``UploadStateMachine/confirms``.
    case confirm
}

/// The reaction to an informational response.
package enum InformationalAction: Hashable, Sendable {
    /// Continue to send the request. Meanwhile, perform the actions, in order, without reporting them.
    ///
    /// They must be complete before the driver reports the end of the exchange. If one of them fails, cancel the
    /// exchange and report ``UploadStateMachine/fileFailed()``.
    case proceed([RecordStep])
    /// Cancel the exchange, and continue with this step.
    case abort(UploadStep)
}
