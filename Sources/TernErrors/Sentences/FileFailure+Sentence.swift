// SPDX-License-Identifier: Apache-2.0
import TernCLibrary
public import TernFoundation
public import TernValues

extension FileFailure: LocalizedError, Explained {
    package var sentence: String { "The file could not be written because \(self.cause)." }

    package var cause: String {
        switch self {
        case .folderNotFound: "its folder does not exist"
        case .alreadyExists: "it already exists"
        case .isDirectory: "its path names a folder"
        case .notAFile: "its path names a device or another special file"
        case .notPermitted:
            "the app does not have permission, or because the file belongs to another user or is a special file"
        case .inUse: "another transfer or process uses it at present"
        case .diskFull: "there is no room for it on the disk, or it is too long for the disk"
        case .notAFileURL: "its URL does not name a file"
        case .system(let errno): "the system reported the error \(errno)"
        }
    }
}

extension UploadFailure {
    package var sentence: String {
        switch self {
        case .fileNotFound: "The file to send does not exist."
        case .notAFile: "The item to send is not a file."
        case .unreadable(EACCES), .unreadable(EPERM): "The file to send could not be read; check its permissions."
        case .unreadable(let errno): "The file to send could not be read: the system reported the error \(errno)."
        case .fileChanged: "The file changed before all of it was sent; the upload must begin again."
        case .lengthMismatch(let announced):
            "The data to send did not have the announced length of \(Sentence.bytes(announced))."
        case .streamFailed: "The app could not provide the data to send."
        case .notReplayable: "The data had to be read twice, but the app can read it only once."
        case .notNeeded:
            "The rest of the data was not sent because the request had ended, or the server needed no more."
        case .finished: "The app tried to send more data after it had marked the data of the request as complete."
        case .completionUnknown:
            "The server no longer knows this upload, perhaps because it is complete; check whether the file has arrived "
                + "before you send it again."
        case .uploadLost: "The server lost the upload twice; try again later."
        case .tooLarge(let limit?): "The server accepts only files of up to \(Sentence.bytes(limit))."
        case .tooLarge(nil): "The file is larger than the server accepts."
        case .tooSmall(let limit): "The server accepts only files of at least \(Sentence.bytes(limit))."
        case .offsetsDiffer: "The server did not accept the rest of the file; try again."
        case .damaged: "The file was damaged on its way to the server; try again."
        case .notResumable: "The server does not support uploads that continue after an interruption."
        }
    }
}

extension BodyFailure {
    func sentence(_ server: String) -> String {
        switch self {
        case .concurrentReads: "Two parts of the app read the data from \(server) at the same time."
        case .discarded: "The app read the response from \(server) a second time, or after discarding it."
        case .readInParts:
            "The app asked for a whole message from \(server), but it already reads the messages in parts."
        }
    }
}
