// SPDX-License-Identifier: Apache-2.0

/// Ends the process, because an event came in a state in which only a bug in Tern can send it.
package func unreachable(_ event: StaticString, in state: @autoclosure () -> String) -> Never {
    preconditionFailure("\(event) must not happen in the state \(state())")
}
