// SPDX-License-Identifier: Apache-2.0
import HTTPTypes
import Tern
import TernFoundation
import TernRequests

extension UnsuitableTransfer {
    private static let secretFields: [HTTPField.Name] = [.authorization, .proxyAuthorization, .cookie]

    init?(_ description: TransferDescription) {
        do throws(UnsuitableTransfer) {
            try Self.check(description)
            return nil
        } catch {
            self = error
        }
    }

    private static func check(_ description: TransferDescription) throws(UnsuitableTransfer) {
        let destination: Destination
        do throws(RequestFailure) {
            destination = try Destination(description.url)
        } catch {
            throw .url(error)
        }
        guard destination.userInfo == nil else { throw .userInformation }
        // The URL is stored as text, and must come back as the same URL.
        guard URL(string: description.url.absoluteString)?.absoluteString == description.url.absoluteString else {
            throw .url(.malformedURL)
        }
        for field in description.fields {
            // A field that must not be indexed is a secret, too (RFC 7541 §7.1.3).
            guard !Self.secretFields.contains(field.name), field.indexingStrategy != .disallow else {
                throw .secretField(name: field.name.rawName)
            }
        }
        guard description.file.isFileURL, description.file.path.utf8.first == UInt8(ascii: "/"),
            !description.file.path.utf8.contains(0), !description.file.lastPathComponent.isEmpty,
            description.file.path != "/"
        else { throw .notAFileURL }
        switch description.kind {
        case .download: try Self.checkReserved([.range, .ifRange], description)
        case .upload:
            // "Content received in a GET request has no generally defined semantics" (RFC 9110 §9.3.1).
            guard ![.get, .head, .trace, .connect].contains(description.method) else {
                throw .method(description.method.rawValue)
            }
            try Self.checkReserved([.contentLength, .transferEncoding], description)
        }
        guard description.label.utf8.count <= StoredTransfer.maximumLabelByteCount else { throw .tooLong }
    }

    private static func checkReserved(
        _ names: [HTTPField.Name],
        _ description: TransferDescription
    ) throws(UnsuitableTransfer) {
        for name in names where description.fields.contains(name) { throw .reservedField(name: name.rawName) }
    }
}
