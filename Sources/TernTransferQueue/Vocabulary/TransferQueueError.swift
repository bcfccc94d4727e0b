// SPDX-License-Identifier: Apache-2.0
public import Tern
public import TernFoundation
public import TernValues

/// The reason that a method of a queue failed.
@nonexhaustive
public enum TransferQueueError: Error, Hashable, Sendable {
    /// Another queue, in this process or another one, has the directory.
    case inUse
    /// The directory or a file in it could not be used.
    case file(FileFailure)
    /// The format of the queue's own file is newer than this version of Tern can read. The value is its version.
    case newerVersion(Int)
    /// The queue cannot use the description.
    case unsuitable(UnsuitableTransfer)
    /// The queue has no transfer with this identifier.
    case unknownTransfer(TransferID)
    /// The queue is running already: ``TransferQueue/run()`` or ``TransferQueue/runUntilIdle()`` has not returned.
    case alreadyRunning
    /// The queue can take no more transfers; see ``TransferQueueConfiguration/maximumCount``.
    case full(limit: Int)
}

/// The reason that a queue cannot use a description.
@nonexhaustive
public enum UnsuitableTransfer: Error, Hashable, Sendable {
    /// The URL cannot be used.
    case url(RequestFailure)
    /// The URL contains a user name or a password, which must not be stored.
    case userInformation
    /// A field counts as a secret, which must not be stored: it is `Authorization`, `Proxy-Authorization` or `Cookie`, or has the
    /// `indexingStrategy` `disallow`.
    case secretField(name: String)
    /// Only the transfer may set this field.
    case reservedField(name: String)
    /// An upload cannot use this method.
    case method(String)
    /// The location of the file is not an absolute file URL with a usable path.
    case notAFileURL
    /// Another download to the same file is in the queue and not complete.
    case destinationInQueue(TransferID)
    /// The stored description would be longer than 56 KiB, or the label is longer than 1024 bytes.
    case tooLong
}

extension TransferQueueError: CustomStringConvertible, Described {
    package var wording: String {
        switch self {
        case .inUse: "another process, or another queue of this process, uses the directory"
        case .file(.notPermitted):
            "the directory of the queue cannot be used: the user of this process must own it and the files in it, and "
                + "that user alone must have permission to write to it"
        case .file(.notAFileURL): "the URL of the queue's directory is not a file URL"
        case .file(let failure): "a file of the queue cannot be used: \(failure)"
        case .newerVersion(let version):
            "a later version of Tern wrote the state of the queue (version \(version) of the format)"
        case .unsuitable(let reason): "the queue cannot use the transfer: \(reason)"
        case .unknownTransfer(let id): "the queue has no transfer \(id)"
        case .alreadyRunning: "the queue is running already"
        case .full(let limit): "the queue has \(limit) transfers, which is the maximum"
        }
    }
}

extension UnsuitableTransfer: CustomStringConvertible, Described {
    package var wording: String {
        switch self {
        case .url(let failure): "\(failure)"
        case .userInformation: "the URL contains a user name or a password, which must not be stored"
        case .secretField(let name): "the field \(name) is a secret, and must not be stored"
        case .reservedField(let name): "the request has the field \(name), which only the queue may set"
        case .method(let method): "an upload cannot use the method \(method); use POST or PUT, for example"
        case .notAFileURL: "the location of the file is not an absolute file URL"
        case .destinationInQueue(let id): "another transfer in the queue (\(id)) downloads to the same file"
        case .tooLong: "the label is longer than 1024 bytes, or the stored TransferDescription is longer than 56 KiB"
        }
    }
}

extension TransferQueueError: LocalizedError, Explained {
    package var sentence: String {
        switch self {
        case .inUse: "The transfers are in use by another process or by another part of the app."
        case .file(.diskFull): "The list of transfers could not be saved because there is no room for it on the disk."
        case .file(.notPermitted):
            "The list of transfers could not be read or saved because the app does not have permission, or because "
                + "other users can change its folder."
        case .file: "The list of transfers could not be read or saved."
        case .newerVersion: "A later version of the app saved the list of transfers; update the app."
        case .unsuitable(let reason): reason.sentence
        case .unknownTransfer: "The transfer is not in the list."
        case .alreadyRunning: "The transfers are running already."
        case .full(let limit): "There are \(limit) transfers; remove some before adding others."
        }
    }
}

extension UnsuitableTransfer: LocalizedError, Explained {
    package var sentence: String {
        switch self {
        case .url: "The address of the transfer cannot be used."
        case .userInformation: "The address contains a user name or a password, which must not be stored."
        case .secretField: "The transfer contains a secret, which must not be stored."
        case .reservedField, .method: "The request of the transfer cannot be used."
        case .notAFileURL: "The location of the file cannot be used."
        case .destinationInQueue: "Another transfer downloads to the same file."
        case .tooLong: "The label or the request of the transfer is too long."
        }
    }
}
