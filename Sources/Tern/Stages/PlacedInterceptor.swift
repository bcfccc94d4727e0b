// SPDX-License-Identifier: Apache-2.0
import TernTransport

/// An interceptor in the client's list of stages.
///
/// The list knows which interceptors are stages. To ask each with a cast takes a process about half a millisecond,
/// because the first cast of each type searches all conformances of the program.
struct PlacedInterceptor {
    let interceptor: any Interceptor
    /// The interceptor, if it is a stage that the configuration does not use.
    let idleStage: (any Stage)?

    var isIdle: Bool { self.idleStage != nil }

    /// Places a stage of the client.
    init(_ stage: any Stage) {
        self.interceptor = stage
        self.idleStage = stage.isIdle ? stage : nil
    }

    /// Places an interceptor of the app, which is never idle.
    init(ofApp interceptor: any Interceptor) {
        self.interceptor = interceptor
        self.idleStage = nil
    }
}
