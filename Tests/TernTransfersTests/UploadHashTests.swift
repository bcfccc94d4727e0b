// SPDX-License-Identifier: Apache-2.0
import HTTPTypes
import TernRequests
import TernTransfers
import Testing

@Suite("UploadStateMachine: the digest of the file")
struct UploadHashTests {
    private static let name = Samples.required(HTTPField.Name("Repr-Digest"))

    private static func configuration(
        _ uploadProtocol: UploadProtocol = .draft(.eight),
        isRepeatable: Bool = false
    ) -> UploadConfiguration {
        var configuration = UploadSamples.configuration(uploadProtocol, isRepeatable: isRepeatable)
        configuration.hashAlgorithm = .sha256
        return configuration
    }

    @Test(arguments: [UploadProtocol.draft(.six), .draft(.eight)])
    func `§10.1: only the request that creates an upload needs it`(_ uploadProtocol: UploadProtocol) {
        var call = UploadCall(Self.configuration(uploadProtocol))
        let creation = call.start().request
        #expect(creation?.digest == .sha256 && creation?.fields.contains(Self.name) == false)
        call.machine.hashed(Samples.digest)
        _ = call.informed([.location: "/uploads/abc"])
        let offset = call.after(call.cut())
        #expect(offset.request?.purpose == .locate && offset.request?.digest == nil)
        let rest = call.after(call.head(204, [.uploadOffset: "400"])).request
        #expect(rest?.purpose == .append && rest?.digest == nil && rest?.fields.contains(Self.name) == false)
    }

    @Test func `a file is read once in a call`() {
        var call = UploadCall(Self.configuration(isRepeatable: true))
        #expect(call.start().request?.digest == .sha256)
        call.machine.hashed(Samples.digest)
        let again = call.cut().request
        #expect(again?.purpose == .create && again?.digest == nil)
        #expect(again?.fields[Self.name] == "sha-256=:q6urq6urq6urq6urq6urq6urq6urq6urq6urq6urq6s=:")
    }

    @Test func `the record has the digest`() {
        var call = UploadCall(Self.configuration())
        _ = call.start()
        call.machine.hashed(Samples.digest)
        guard case .write(let record)? = call.informed([.location: "/uploads/abc"]).steps?.first else {
            Issue.record("no record was written")
            return
        }
        #expect(record.digest == Samples.digest)
    }

    @Test func `tus has no field for it`() {
        var call = UploadCall(Self.configuration(.tus))
        #expect(call.start().request?.digest == nil)
    }

    @Test func `a digest that the caller knows is sent, and the file is not read`() {
        var configuration = Self.configuration()
        configuration.digest = Samples.digest
        var call = UploadCall(configuration)
        let creation = call.start().request
        #expect(creation?.digest == nil && creation?.fields.contains(Self.name) == true)
    }
}
