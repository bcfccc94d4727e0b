// SPDX-License-Identifier: Apache-2.0

/// The names of the files in the directory of a queue.
///
/// They are visible, so that a person can see what the directory is.
enum TransferFileName {
    /// The file that the owner of the directory has locked; always empty.
    static let lock = "queue.tern-lock"
    /// The file with the state of the queue itself.
    static let queue = "queue.tern-queue"

    private static let suffixes = (transfer: ".tern-transfer", upload: ".tern-upload", new: "-new")

    /// Returns the name of the file of a transfer.
    static func transfer(_ id: TransferID) -> String { "\(id)\(Self.suffixes.transfer)" }

    /// Returns the name of the record of an upload.
    static func upload(_ id: TransferID) -> String { "\(id)\(Self.suffixes.upload)" }

    /// Returns the name of a file while it is written.
    static func new(_ name: String) -> String { name + Self.suffixes.new }

    /// Returns the transfer whose file has a name; `nil` if the name is another one.
    static func id(ofTransfer name: String) -> TransferID? { Self.id(of: name, Self.suffixes.transfer) }

    /// Returns the transfer whose upload's record has a name; `nil` if the name is another one.
    static func id(ofUpload name: String) -> TransferID? { Self.id(of: name, Self.suffixes.upload) }

    /// Returns whether a name is that of a file of the queue while the file is written.
    static func isNew(_ name: String) -> Bool {
        guard name.hasSuffix(Self.suffixes.new) else { return false }
        let final = String(name.dropLast(Self.suffixes.new.count))
        return final == Self.queue || Self.id(ofTransfer: final) != nil || Self.id(ofUpload: final) != nil
    }

    private static func id(of name: String, _ suffix: String) -> TransferID? {
        name.hasSuffix(suffix) ? TransferID(String(name.dropLast(suffix.count))) : nil
    }
}
