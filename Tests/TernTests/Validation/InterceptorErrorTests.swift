// SPDX-License-Identifier: Apache-2.0
import ClientTestSupport
import HTTPTypes
import Tern
import TernTesting
import TestSupport
import Testing

@Suite("Errors of interceptors", .hangLimit)
struct InterceptorErrorTests {
    private struct Tired: Error, Equatable { var hours: Int }

    private struct Refusing: Interceptor {
        func respond(to call: HTTPCall, next: NextStages) async throws(ClientError) -> HTTPReply {
            throw .interceptorFailed(Tired(hours: 8), call.context(.prepare))
        }
    }

    /// An interceptor before the client's own stages, which sees their errors.
    private struct Watching: Interceptor {
        let seen: Observed<[String]>

        func respond(to call: HTTPCall, next: NextStages) async throws(ClientError) -> HTTPReply {
            do throws(ClientError) {
                return try await next.respond(to: call)
            } catch {
                if case .validationFailed(let failure, _) = error { self.seen.update { $0.append("\(failure)") } }
                throw error
            }
        }
    }

    @Test(arguments: [true, false])
    func `an interceptor ends a call with an error of its own`(isFirst: Bool) async {
        var configuration = Client.Configuration()
        if isFirst {
            configuration.callInterceptors = [Refusing()]
        } else {
            configuration.attemptInterceptors = [Refusing()]
        }
        let scene = ClientScene(configuration) { _ in .response() }
        let error = await failure { () async throws(ClientError) in try await scene.client.data(from: testURL) }
        guard case .interceptorFailed(let own, let context)? = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect(own as? Tired == Tired(hours: 8))
        #expect(context.origin == "http://test:80")
        #expect(scene.connector.attemptCount == 0)
        #expect(error.map { "\($0)" }?.contains("Tired") == true)
        #expect(error.map { "\($0)" }?.contains("hours") == false)
    }

    @Test func `an interceptor of calls sees what was not accepted`() async {
        let seen = Observed<[String]>([])
        var configuration = Client.Configuration()
        configuration.callInterceptors = [Watching(seen: seen)]
        configuration.attemptInterceptors = [Watching(seen: seen)]
        configuration.validation = [.success]
        let scene = ClientScene(configuration) { _ in .response(.notFound) }
        #expect(await failure { () async throws(ClientError) in try await scene.client.data(from: testURL) } != nil)
        #expect(seen.value == ["\(ValidationFailure.Rule.status(404))"])
    }
}
