// SPDX-License-Identifier: Apache-2.0

/// The names of the files in the directory of a queue, which are not hidden, so that a person can see what the directory is.
enum TransferFileName {
    static let lock = "queue.tern-lock"
    static let queue = "queue.tern-queue"

    private static let suffixes = (transfer: ".tern-transfer", upload: ".tern-upload", new: "-new")

    static func transfer(_ id: TransferID) -> String { "\(id)\(Self.suffixes.transfer)" }

    static func upload(_ id: TransferID) -> String { "\(id)\(Self.suffixes.upload)" }

    static func new(_ name: String) -> String { name + Self.suffixes.new }

    static func id(ofTransfer name: String) -> TransferID? { Self.id(of: name, Self.suffixes.transfer) }

    static func id(ofUpload name: String) -> TransferID? { Self.id(of: name, Self.suffixes.upload) }

    static func isNew(_ name: String) -> Bool {
        guard name.hasSuffix(Self.suffixes.new) else { return false }
        let final = String(name.dropLast(Self.suffixes.new.count))
        return final == Self.queue || Self.id(ofTransfer: final) != nil || Self.id(ofUpload: final) != nil
    }

    private static func id(of name: String, _ suffix: String) -> TransferID? {
        name.hasSuffix(suffix) ? TransferID(String(name.dropLast(suffix.count))) : nil
    }
}
