// SPDX-License-Identifier: Apache-2.0
// scripts/check isolation compiles this file. The compiler must refuse each line
// that has a comment, with the error in that comment.
import Foundation
import HTTPTypes
import Tern

struct Challenge: TaskDelegate {  // error: return ChallengeDisposition?; nil leaves
    func task(_ task: TaskInfo, didReceive challenge: AuthenticationChallenge) async -> ChallengeDisposition { .cancel }
}

struct Redirect: TaskDelegate {  // error: return RedirectDisposition?; nil leaves
    func task(_ task: TaskInfo, willRedirectTo request: Request, for response: Response) async -> RedirectDisposition {
        .stop
    }
}

struct Body: TaskDelegate {  // error: return RequestBody?; nil means
    func task(_ task: TaskInfo, needsNewBodyFor request: Request) async -> RequestBody { .text("again") }
}

@MainActor final class Completion: TaskDelegate {  // error: task(_:didCompleteWith:) and passes a
    func task(_ task: TaskInfo, didCompleteWithError error: (any Error)?) {}
}

struct TypedCompletion: TaskDelegate {  // error: the client calls task(_:didCompleteWith:)
    func task(_ task: TaskInfo, didCompleteWithError error: ClientError?) async {}
}

actor Metrics: TaskDelegate {  // error: the client calls task(_:didCollect:)
    func task(_ task: TaskInfo, didFinishCollecting metrics: TaskMetrics) {}
}

struct Waiting: TaskDelegate {  // error: the client calls taskIsWaitingForConnection(_:)
    func taskIsWaitingForConnectivity(_ task: TaskInfo) {}
}

struct Sending: TaskDelegate {  // error: the client calls task(_:didSendBodyData:)
    func task(_ task: TaskInfo, didSend progress: TransferProgress) {}
}

struct Receiving: TaskDelegate {  // error: the client calls task(_:didReceiveBodyData:)
    func task(_ task: TaskInfo, didReceive progress: TransferProgress) {}
}

struct Informational: TaskDelegate {  // error: the client calls task(_:didReceiveInformationalResponse:)
    func task(_ task: TaskInfo, didReceiveInformational response: HTTPResponse) {}
}

struct Challenging: TaskDelegate {  // error: the client calls task(_:didReceive:)
    func task(_ task: TaskInfo, didReceiveChallenge challenge: AuthenticationChallenge) async -> ChallengeDisposition? {
        nil
    }
}

struct Redirecting: TaskDelegate {  // error: the client calls task(_:willRedirectTo:for:)
    func task(
        _ task: TaskInfo,
        willPerformHTTPRedirection response: Response,
        newRequest request: Request
    ) async -> Request? { request }
}

struct Reading: TaskDelegate {  // error: the client calls task(_:needsNewBodyFor:)
    func task(_ task: TaskInfo, needNewBodyStream request: Request) async -> RequestBody? { nil }
}
