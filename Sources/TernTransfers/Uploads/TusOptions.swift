// SPDX-License-Identifier: Apache-2.0
public import TernRequests

/// The parameters of an upload by the tus protocol.
public struct TusOptions: Hashable, Sendable {
    /// A key and its value in `Upload-Metadata`, such as the name of the file.
    public struct Metadata: Hashable, Sendable {
        /// The key.
        public let key: String
        /// The value, which may be empty.
        public let value: [UInt8]

        /// Creates a pair; `nil` if the key is empty, or contains a comma or anything but visible ASCII characters.
        public init?(_ key: String, _ value: some Sequence<UInt8>) {
            guard !key.isEmpty, key.utf8.allSatisfy({ 0x21...0x7E ~= $0 && $0 != UInt8(ascii: ",") }) else {
                return nil
            }
            self.key = key
            self.value = Array(value)
        }
    }

    /// The metadata, in order; if a key is repeated, the last value counts.
    public var metadata: [Metadata]
    /// Whether the request that creates the upload also sends the first bytes ("Creation With Upload").
    ///
    /// Saves a round trip, but not every server supports it.
    public var createsWithContent: Bool
    /// The algorithm of the hash to send with each part, so that the server can check the part; `nil` for none.
    ///
    /// Each server with the extension Checksum must support SHA-1. Bytes in the request that creates the upload have no hash.
    public var checksum: HashAlgorithm?

    /// Creates options from the values of the properties.
    public init(metadata: [Metadata] = [], createsWithContent: Bool = false, checksum: HashAlgorithm? = nil) {
        self.metadata = metadata
        self.createsWithContent = createsWithContent
        self.checksum = checksum
    }
}
