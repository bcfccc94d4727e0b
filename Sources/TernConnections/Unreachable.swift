// SPDX-License-Identifier: Apache-2.0

/// Ends the process, because of a bug in Tern: an event happened in a state that excludes it.
package func unreachable(_ event: StaticString, in state: @autoclosure () -> String) -> Never {
    preconditionFailure("\(event) must not happen in the state \(state())")
}
