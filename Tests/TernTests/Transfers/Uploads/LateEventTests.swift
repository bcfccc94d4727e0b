// SPDX-License-Identifier: Apache-2.0
import ClientTestSupport
@testable import Tern
import TernConnections
import TernRequests
import TernTesting
import TernTransfers
import TernTransport
import TestSupport
import Testing

/// Tests events of an exchange that arrive after its end, while another exchange runs or the call is over.
@Suite("A resumable upload: late events of an exchange")
struct LateEventTests {
    private let folder: TemporaryFolder
    private let session: UploadSession
    private let delegation: TaskDelegation

    init() throws {
        self.folder = try TemporaryFolder()
        let (clock, request) = (ManualClock(), Request(.post, "http://test/files"))
        let file = try #require(FileIdentity(byteCount: 10, modificationNanoseconds: 1, number: 2, device: 3))
        let configuration = UploadConfiguration(to: try request.destination(), file: file)
        self.session = UploadSession(configuration, try UploadRecordFile(at: folder.file("record")), clock: clock)
        let delegates = TaskDelegation.Delegates(own: nil, shared: nil)
        self.delegation = TaskDelegation(delegates, request, monitors: [], clock)
        _ = self.session.update { machine in machine.start(now: clock.date) }
    }

    private var sentByteCount: Int64 { self.session.update { $0.progress.sentByteCount } }

    @Test func `content that is reported late does not count for the next exchange`() async {
        let first = self.session.observeNext(for: self.delegation)
        first.didReach(.headSent(byteCount: 100))
        first.didSend(4, of: 10)
        #expect(self.sentByteCount == 4)
        #expect(await self.session.end() == nil)
        first.didSend(9, of: 10)
        #expect(self.sentByteCount == 4)
        let second = self.session.observeNext(for: self.delegation)
        first.didSend(10, of: 10)
        #expect(self.sentByteCount == 4)
        second.didReach(.headSent(byteCount: 100))
        second.didSend(6, of: 10)
        #expect(self.sentByteCount == 10)
    }

    @Test func `a request that is sent again after the call has ended changes nothing`() async {
        let observer = self.session.observeNext(for: self.delegation)
        observer.didReach(.headSent(byteCount: 100))
        self.session.failed(.diskFull)
        #expect(await self.session.end() == .end(.failed(.fileFailed)))
        observer.didReach(.headSent(byteCount: 100))
        observer.didSend(10, of: 10)
        #expect(self.sentByteCount == 0)
    }
}
