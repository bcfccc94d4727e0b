// SPDX-License-Identifier: Apache-2.0
import Foundation
import TernErrors
import TestSupport
import Testing

@testable import TernTrust

@Suite("Places of the system's roots")
struct AnchorPlacesTests {
    private let folder: TemporaryFolder
    /// A root, in PEM form.
    private let root: String
    private let rootSubject: EncodedName
    private let other: String
    private let otherSubject: EncodedName

    init() throws {
        let matrix = try CertificateMatrix.shared
        self.folder = try TemporaryFolder()
        self.root = try String(contentsOfFile: matrix.rootFile, encoding: .utf8)
        self.other = try String(contentsOfFile: matrix.otherRootFile, encoding: .utf8)
        func subject(_ text: String) throws -> EncodedName {
            try CertificateOutline(try #require(PEMText.certificates(in: Array(text.utf8)).first)).subject
        }
        (self.rootSubject, self.otherSubject) = (try subject(self.root), try subject(self.other))
    }

    /// Returns whether the places have the one root and the other.
    private func found(_ files: [String], _ folders: [String] = [], areChosen: Bool) throws -> [Bool] {
        let store = try AnchorPlaces(files: files, folders: folders, areChosen: areChosen).store()
        return [!store[self.rootSubject].isEmpty, !store[self.otherSubject].isEmpty]
    }

    private func message(_ files: [String], _ folders: [String] = [], areChosen: Bool) -> String? {
        do throws(TLSFailure) {
            _ = try AnchorPlaces(files: files, folders: folders, areChosen: areChosen).store()
            return nil
        } catch {
            guard case .configuration(let message) = error else { return "another failure" }
            return message
        }
    }

    @Test func `the environment replaces the well-known places`() {
        let known = AnchorPlaces(environment: ["SSL_CERT_FILE": "", "SSL_CERT_DIR": ":"])
        #expect(known == AnchorPlaces(environment: [:]) && !known.areChosen)
        #expect(known.files.contains("/etc/ssl/cert.pem") && known.folders.contains("/system/etc/security/cacerts"))
        let file = AnchorPlaces(environment: ["SSL_CERT_FILE": "/a:b"])
        #expect(file == AnchorPlaces(files: ["/a:b"], folders: [], areChosen: true))
        let folders = AnchorPlaces(environment: ["SSL_CERT_DIR": "/a::/b"])
        #expect(folders == AnchorPlaces(files: [], folders: ["/a", "/b"], areChosen: true))
    }

    @Test func `the first well-known file with certificates counts alone`() throws {
        let empty = try self.folder.write("no certificate", to: "empty")
        let first = try self.folder.write(self.root, to: "first")
        let second = try self.folder.write(self.other, to: "second")
        let files = ["/nowhere", empty, first, second]
        #expect(try self.found(files, [self.folder.url.path], areChosen: false) == [true, false])
    }

    @Test func `folders count without such a file, and all of their files`() throws {
        try self.folder.write(self.root, to: "1.pem")
        try self.folder.write("a comment\n" + self.other + "\nCertificate: text", to: "2.0")
        let manager = FileManager.default
        try manager.createDirectory(at: self.folder.file("inner"), withIntermediateDirectories: false)
        for (name, target) in [("again", self.folder.file("1.pem").path), ("lost", "/nowhere")] {
            try manager.createSymbolicLink(atPath: self.folder.file(name).path, withDestinationPath: target)
        }
        #expect(try self.found(["/nowhere"], ["/nowhere", self.folder.url.path], areChosen: false) == [true, true])
        let store = try AnchorPlaces(files: [], folders: [self.folder.url.path], areChosen: true).store()
        #expect(store[self.rootSubject].count == 1, "a link is no second root")
    }

    @Test func `a chosen file and chosen folders count together`() throws {
        let file = try self.folder.write(self.root, to: "file")
        let inner = self.folder.file("inner")
        try FileManager.default.createDirectory(at: inner, withIntermediateDirectories: false)
        try self.other.write(to: inner.appendingPathComponent("a"), atomically: false, encoding: .utf8)
        #expect(try self.found([file], [inner.path], areChosen: true) == [true, true])
        #expect(try self.found([file], areChosen: true) == [true, false])
    }

    @Test func `what is chosen has no replacement`() throws {
        let empty = try self.folder.write("", to: "empty")
        #expect(self.message(["/nowhere"], areChosen: true)?.contains("/nowhere, which SSL_CERT_FILE names") == true)
        #expect(self.message([], ["/nowhere"], areChosen: true)?.contains("/nowhere, which SSL_CERT_DIR names") == true)
        #expect(self.message([empty], areChosen: true)?.hasSuffix("contain no certificate") == true)
        #expect(self.message([empty], areChosen: false)?.contains("install the package ca-certificates") == true)
        #expect(self.message([self.folder.url.path], areChosen: false)?.contains("cannot be read") == true)
    }
}
