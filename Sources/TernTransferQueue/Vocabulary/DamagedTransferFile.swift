// SPDX-License-Identifier: Apache-2.0
public import Tern
public import TernValues

/// A file in the directory of a queue that could not be used when the directory was read.
///
/// The queue does not delete such a file by itself. ``TransferQueue/remove(_:)`` deletes the file of a transfer; methods such as
/// ``TransferQueue/pauseAll()`` and ``TransferQueue/resumeAll()`` replace the queue's own file.
public struct DamagedTransferFile: Hashable, Sendable {
    /// The reason that a file cannot be used.
    @nonexhaustive
    public enum Reason: Hashable, Sendable {
        /// The content is not valid for this file.
        case damaged
        /// The format of the file is newer than this version of Tern can read. The value is the version of the format.
        case newerVersion(Int)
        /// The file could not be read, or is not a regular file of this user.
        case unreadable(FileFailure)
    }

    /// The name of the file in the directory.
    public let name: String
    /// The transfer of the file; `nil` for the queue's own file, `queue.tern-queue`.
    public let id: TransferID?
    /// The reason that the file cannot be used.
    public let reason: Reason
}

extension DamagedTransferFile: CustomStringConvertible, Described {
    package var wording: String {
        switch self.reason {
        case .damaged: "\(self.name) is damaged"
        case .newerVersion(let version):
            "a later version of Tern wrote \(self.name) (version \(version) of the format)"
        case .unreadable(.notPermitted):
            "\(self.name) cannot be read: it is not a regular file, or this user does not own it"
        case .unreadable(let failure): "\(self.name) cannot be read: \(failure)"
        }
    }
}
