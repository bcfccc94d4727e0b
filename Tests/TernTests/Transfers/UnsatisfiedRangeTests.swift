// SPDX-License-Identifier: Apache-2.0
import ClientTestSupport
import HTTPTypes
import Tern
import TernErrors
import TernTesting
import TestSupport
import Testing

@Suite("A durable download whose range has no bytes (416)", .hangLimit)
struct UnsatisfiedRangeTests {
    /// The rules of the client, with and without one that refuses 416 before the download sees it.
    static let rules: [[ValidationRule]?] = [nil, [.success]]

    private func scene(_ conducts: Conduct..., rules: [ValidationRule]?) throws -> TransferScene {
        var configuration = Client.Configuration()
        configuration.validation = rules
        var resource = RangeServer()
        resource.announcesLength = false
        let last = conducts.last ?? .honest
        // All bytes arrive, but not the end of the content.
        let cut = Conduct { server, request in
            let whole = server.answer(request)
            return whole.cut(afterBodyByteCount: whole.body.count - "0\r\n\r\n".utf8.count)
        }
        return try TransferScene(cut, conducts.first ?? .honest, last, resource: resource, configuration: configuration)
    }

    @Test(arguments: rules)
    func `the file is complete if it has all bytes`(rules: [ValidationRule]?) async throws {
        let scene = try self.scene(rules: rules)
        let result = try await scene.download()
        scene.expectComplete()
        #expect(scene.ranges == [nil, "bytes=100-"])
        #expect((result.byteCount, result.restart) == (100, nil))
        #expect(result.response?.statusCode == 200)
    }

    @Test(arguments: rules)
    func `a later call has nothing to receive`(rules: [ValidationRule]?) async throws {
        let scene = try self.scene(rules: rules)
        #expect(await scene.failure() != nil)
        try scene.expectUnfinished(100)
        let result = try await scene.download(TransferScene.url, .manual)
        scene.expectComplete()
        #expect((result.byteCount, result.resumedByteCount) == (100, 100))
        #expect(result.response == nil)
    }

    @Test(arguments: rules)
    func `without a length the call begins again`(rules: [ValidationRule]?) async throws {
        let scene = try self.scene(.status(.rangeNotSatisfiable), .honest, rules: rules)
        #expect(try await scene.download().restart == .invalidPart)
        scene.expectComplete()
        #expect(scene.ranges == [nil, "bytes=100-", nil])
    }

    @Test func `another length or another entity tag begins again`() async throws {
        for fields in [
            [.contentRange: "bytes */90"], [.contentRange: "bytes */100", .eTag: "\"v2\""],
        ] as [HTTPFields] {
            let scene = try self.scene(.status(.rangeNotSatisfiable, fields), .honest, rules: nil)
            #expect(try await scene.download().restart == .resourceChanged)
            scene.expectComplete()
        }
    }

    @Test func `a second 416 without a length ends the call`() async throws {
        let none = Conduct.status(.rangeNotSatisfiable)
        let scene = try TransferScene(.cut(afterBodyByteCount: 40), none, .cut(afterBodyByteCount: 50), none)
        #expect(await scene.fault(TransferScene.url, .immediate) == .protocolViolation("RFC 9110 §15.5.17"))
        _ = try await scene.download()
        scene.expectComplete()
    }

    @Test func `a 416 to a request without a range is an error`() async throws {
        let scene = try TransferScene(.status(.rangeNotSatisfiable))
        #expect(await scene.fault() == .validationFailed(.status(416)))
        #expect(try scene.folder.names == [])
    }
}
