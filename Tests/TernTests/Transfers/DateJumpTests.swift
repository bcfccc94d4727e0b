// SPDX-License-Identifier: Apache-2.0
import ClientTestSupport
import HTTPTypes
import Tern
import TernRequests
import TernTesting
import TernTransfers
import TestSupport
import Testing

/// Tests records whose dates do not fit the date of the machine, as after a jump of its clock.
@Suite("Transfers on a machine whose date jumps", .hangLimit)
struct DateJumpTests {
    /// Dates at which the earlier call seems to have begun: in 1970, and in the far future.
    private static let dates = [HTTPDate(secondsSince1970: 0), HTTPDate(secondsSince1970: 99_999_999_999)]

    @Test(arguments: dates)
    func `a download continues, whatever its record says about its beginning`(date: HTTPDate) async throws {
        let folder = try await TransferScene.interrupted(after: 40)
        let scene = try TransferScene(in: folder)
        let old = try scene.storedRecord()
        let record = try #require(
            DownloadRecord(
                fileName: old.fileName,
                source: old.source,
                creationDate: date,
                validator: old.validator,
                completeLength: old.completeLength,
                mediaType: old.mediaType,
                digest: old.digest,
                fileNumber: old.fileNumber,
                ranges: old.ranges
            )
        )
        try scene.overwrite(TransferScene.record, record.encoded)
        let result = try await scene.download()
        #expect(result.restart == nil && result.resumedByteCount == 40)
        scene.expectComplete()
    }

    @Test(arguments: UploadScene.protocols, dates)
    func `an upload continues, whatever its record says about its beginning`(
        uploadProtocol: UploadProtocol,
        date: HTTPDate
    ) async throws {
        let scene = try await UploadScene.interrupted(after: 40, by: uploadProtocol)
        let old = try scene.storedRecord()
        let record = try #require(
            UploadRecord(
                old.uploadProtocol,
                url: old.url,
                resource: old.resource,
                file: old.file,
                digest: old.digest,
                creationDate: date,
                expirationDate: Self.dates[1],
                limits: old.limits,
                acknowledgedByteCount: old.acknowledgedByteCount,
                mayBeComplete: old.mayBeComplete
            )
        )
        try scene.overwrite(UploadScene.record, record.encoded)
        let result = try await scene.upload()
        #expect(result.restart == nil && result.resumedByteCount == 40)
        scene.expectComplete()
    }

    @Test func `delays of a call do not depend on the date`() async throws {
        let scene = try TransferScene(.cut(afterBodyByteCount: 40))
        let calling = Task { try await scene.download(TransferScene.url, .steady(.seconds(10))) }
        try await scene.clock.waitForScheduled(in: .seconds(10))
        scene.clock.advance(by: .seconds(10))
        #expect(try await calling.value.restart == nil)
        scene.expectComplete()
    }
}
