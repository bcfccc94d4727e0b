// SPDX-License-Identifier: Apache-2.0
import HTTPTypes
import TernErrors
import TernValidation
import Testing

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

@Suite("Problem details in errors")
struct ProblemDetailsErrorTests {
    private static let json = #"{"title":"Out of credit","balance":30}"#

    private func error(
        _ body: String = Self.json,
        type: String? = "application/problem+json; charset=utf-8",
        isComplete: Bool = true
    ) -> ClientError {
        var fields = HTTPFields()
        fields[.contentType] = type
        let response = HTTPResponse(status: .forbidden, headerFields: fields)
        let failure = ValidationFailure(.status(403), body: Data(body.utf8), isBodyComplete: isComplete)
        return .validationFailed(failure, ClientError.Context(phase: .validate, response: response))
    }

    @Test func `an error has the problem that its body describes`() {
        #expect(self.error().problemDetails?.title == "Out of credit")
        #expect(self.error().problemDetails?.extensions == ["balance": .integer(30)])
    }

    @Test func `another type, a part of a body, and other errors have none`() {
        #expect(self.error(type: "application/json").problemDetails == nil)
        #expect(self.error(type: nil).problemDetails == nil)
        #expect(self.error(isComplete: false).problemDetails == nil)
        #expect(self.error("{").problemDetails == nil)
        #expect(ClientError.cancelled(.init(phase: .body)).problemDetails == nil)
    }

    @Test func `a body is decoded as the error of the service in one line`() {
        struct ServiceError: Decodable, Equatable { var title: String }
        #expect(self.error().decoded(as: ServiceError.self) == ServiceError(title: "Out of credit"))
        let other = DecodingFailure(.keyNotFound, type: "User", body: Data(Self.json.utf8))
        let context = ClientError.Context(phase: .decode)
        #expect(ClientError.decodingFailed(other, context).decoded(as: ServiceError.self) != nil)
        #expect(self.error("[]").decoded(as: ServiceError.self) == nil)
        #expect(self.error(isComplete: false).decoded(as: ServiceError.self) == nil)
        #expect(ClientError.cancelled(.init(phase: .body)).decoded(as: ServiceError.self) == nil)
    }

    @Test func `a number is known by what it is`() throws {
        let json = Data(#"[1, 1.5, true, null, "x", 1e300, {"a": []}, 9223372036854775807]"#.utf8)
        let value = try JSONDecoder().decode(JSONValue.self, from: json)
        let expected: [JSONValue] = [
            .integer(1), .number(1.5), .bool(true), .null, .string("x"), .number(1e300), .object(["a": .array([])]),
            .integer(.max),
        ]
        #expect(value == .array(expected))
    }
}
