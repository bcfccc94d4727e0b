// SPDX-License-Identifier: Apache-2.0
import TernTransport

/// An interceptor in the list of stages, and whether it is a stage of the client: casts to find out cost half a millisecond.
struct PlacedInterceptor {
    let interceptor: any Interceptor
    /// The interceptor, if it is a stage that the configuration does not use.
    let idleStage: (any Stage)?

    var isIdle: Bool { self.idleStage != nil }

    init(_ stage: any Stage) {
        self.interceptor = stage
        self.idleStage = stage.isIdle ? stage : nil
    }

    init(ofApp interceptor: any Interceptor) {
        self.interceptor = interceptor
        self.idleStage = nil
    }
}
