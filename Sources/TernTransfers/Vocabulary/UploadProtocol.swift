// SPDX-License-Identifier: Apache-2.0

/// A protocol by which an upload continues after an interruption.
@nonexhaustive
public enum UploadProtocol: Hashable, Sendable {
    /// An interop version of "Resumable Uploads for HTTP" (draft-ietf-httpbis-resumable-upload).
    ///
    /// A client and a server must use the same version.
    @nonexhaustive
    public enum InteropVersion: Int, CaseIterable, Hashable, Sendable {
        /// Version 6, of the drafts -04 and -05.
        case six = 6
        /// Version 8, of the drafts -09 to -11.
        case eight = 8
    }

    static let tusVersion = "1.0.0"

    /// The draft of the IETF, in an interop version.
    case draft(InteropVersion)
    /// The tus protocol, version 1.0.0.
    case tus

    /// For a record: `draft-6`, `draft-8` or `tus-1.0.0`.
    package var name: String {
        switch self {
        case .draft(let version): "draft-\(version.rawValue)"
        case .tus: "tus-\(Self.tusVersion)"
        }
    }

    package init?(name: String) {
        let all = InteropVersion.allCases.map { UploadProtocol.draft($0) } + [.tus]
        guard let value = all.first(where: { $0.name == name }) else { return nil }
        self = value
    }
}
