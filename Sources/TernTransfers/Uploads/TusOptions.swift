// SPDX-License-Identifier: Apache-2.0

/// The parameters of an upload by the tus protocol.
public struct TusOptions: Hashable, Sendable {
    /// A key and its value in `Upload-Metadata`, such as the name of the file.
    public struct Metadata: Hashable, Sendable {
        /// The key.
        public let key: String
        /// The value, which may be empty.
        public let value: [UInt8]

        /// Creates a pair.
        ///
        /// - Parameters:
        ///   - key: The key. The result is `nil` if the key is empty, or contains a comma or anything but visible ASCII
        ///     characters: "The key MUST NOT contain spaces and commas and MUST NOT be empty. The key SHOULD be ASCII
        ///     encoded".
        ///   - value: The value.
        public init?(_ key: String, _ value: some Sequence<UInt8>) {
            guard !key.isEmpty, key.utf8.allSatisfy({ 0x21...0x7E ~= $0 && $0 != UInt8(ascii: ",") }) else {
                return nil
            }
            self.key = key
            self.value = Array(value)
        }
    }

    /// The metadata, in order.
    ///
    /// If a key is repeated, the last value counts. Defaults to none.
    public var metadata: [Metadata]
    /// Whether the request that creates the upload also sends the first bytes ("Creation With Upload").
    ///
    /// Saves a round trip. Defaults to `false`, because not every server supports it.
    public var createsWithContent: Bool
    /// The hash to send with each part, so that the server can check the part.
    ///
    /// Bytes in the request that creates the upload have no hash. Defaults to `nil`.
    public var checksum: UploadChecksum?

    /// Creates options.
    ///
    /// - Parameters:
    ///   - metadata: The metadata. Defaults to none.
    ///   - createsWithContent: Whether the first request also sends bytes. Defaults to `false`.
    ///   - checksum: The hash to send with each part. Defaults to `nil`.
    public init(metadata: [Metadata] = [], createsWithContent: Bool = false, checksum: UploadChecksum? = nil) {
        self.metadata = metadata
        self.createsWithContent = createsWithContent
        self.checksum = checksum
    }
}
