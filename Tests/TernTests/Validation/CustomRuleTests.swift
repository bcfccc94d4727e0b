// SPDX-License-Identifier: Apache-2.0
import ClientTestSupport
import HTTPTypes
import Tern
import TernTesting
import TestSupport
import Testing

@Suite("Rules of the application", .hangLimit)
struct CustomRuleTests {
    private struct Refusal: Error, Equatable { var reason = "tired" }

    private func error(_ rule: ValidationRule, _ scene: ClientScene) async -> ClientError? {
        let request = Request(url: testURL).validate(rule)
        return await failure { () async throws(ClientError) in try await scene.client.data(for: request) }
    }

    @Test func `a rule looks at the response, waiting or not`() async {
        let scene = ClientScene { _ in .response(body: "x") }
        #expect(await self.error(.custom("ok") { $0.statusCode == 200 }, scene) == nil)
        let slow = ValidationRule.custom("slow") { response in
            await Task.yield()
            return response.url != testURL
        }
        guard case .validationFailed(let failure, _)? = await self.error(slow, scene) else {
            Issue.record("not refused")
            return
        }
        #expect(failure.rule == .custom("slow"))
    }

    @Test func `what a rule throws ends the call`() async {
        let scene = ClientScene { _ in .response(body: "x") }
        let own = await self.error(.custom("own") { _ in throw Refusal() }, scene)
        guard case .interceptorFailed(let error, _)? = own else {
            Issue.record("\(String(describing: own))")
            return
        }
        #expect(error as? Refusal == Refusal())
        #expect(own.map { "\($0)" }?.contains("tired") == false)
        let context = ClientError.Context(phase: .validate)
        let known = await self.error(.custom("known") { _ in throw ClientError.bodyTooLarge(limit: 7, context) }, scene)
        guard case .bodyTooLarge(limit: 7, _)? = known else {
            Issue.record("\(String(describing: known))")
            return
        }
    }

    @Test func `one of several may be a rule of the application`() async {
        let scene = ClientScene { _ in .response(.notFound) }
        let isKnown = ValidationRule.custom("known") { $0.statusCode == 404 }
        #expect(await self.error(.any(of: .success, isKnown), scene) == nil)
        #expect(await self.error(.any(of: .success, .custom("no") { _ in false }), scene) != nil)
    }

    @Test func `cancelling the call ends a rule that waits`() async {
        let scene = ClientScene { _ in .response(body: "x") }
        let isAsked = Observed(false)
        let rule = ValidationRule.custom("never") { _ in
            isAsked.update { $0 = true }
            try await Task.sleep(for: .seconds(3600))
            return true
        }
        let calling = Task { await self.error(rule, scene) }
        _ = await isAsked.wait { $0 }
        calling.cancel()
        #expect(await calling.value?.isCancellation == true)
    }

    @Test func `a rule is equal to itself only`() {
        let rule = ValidationRule.custom("a") { _ in true }
        #expect(rule == rule)
        #expect(rule != ValidationRule.custom("a") { _ in true })
    }
}
