// SPDX-License-Identifier: Apache-2.0
public import TernValues

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

extension FileFailure: LocalizedError, Explained {
    /// Why a file could not be written, as a sentence.
    package var sentence: String { "The file could not be written because \(self.cause)." }

    /// What stands in the way, as the end of a sentence.
    package var cause: String {
        switch self {
        case .folderNotFound: "its folder does not exist"
        case .alreadyExists: "a file of this name exists"
        case .isDirectory: "a folder of this name exists"
        case .notAFile: "its name belongs to something other than a file"
        case .notPermitted: "writing there is not permitted"
        case .diskFull: "the disk is full"
        case .notAFileURL: "its URL does not name a file"
        case .system(let errno): "the system gave the error \(errno)"
        }
    }
}

extension UploadFailure {
    /// Why a body could not be sent, as a sentence.
    package var sentence: String {
        switch self {
        case .fileNotFound: "The file to send does not exist."
        case .notAFile: "The item to send is not a file."
        case .unreadable: "The file to send could not be read; check its permissions."
        case .fileChanged: "The file changed while it was being sent; try again."
        case .lengthMismatch(let announced):
            "The data to send did not have the announced length of \(Sentence.bytes(announced))."
        case .streamFailed: "The app could not provide the data to send."
        case .notReplayable: "The data had to be sent once more and could not be read again; start over."
        case .notNeeded: "The server needs no more of the data that the app wanted to send."
        case .finished: "The app had said that the data was complete and then wrote more."
        }
    }
}

extension BodyFailure {
    /// How the app misused a body, as a sentence.
    func sentence(_ server: String) -> String {
        switch self {
        case .concurrentReads: "The app read the response from \(server) in two places at once."
        case .discarded: "The app discarded the response from \(server) and then read it."
        case .takenInParts: "The app asked for whole messages of a WebSocket to \(server) that it reads in parts."
        }
    }
}
