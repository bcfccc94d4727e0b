// SPDX-License-Identifier: Apache-2.0
public import Testing

extension Trait where Self == TimeLimitTrait {
    /// Ends a test that hangs, and reports its name.
    ///
    /// The limit detects hangs, but not slow tests. Hundreds of tests share the cores, so a limit near the usual
    /// duration of a test would fail on a slow or busy machine. Ten minutes are a hundred times the duration of the
    /// slowest test, and much less than a whole run may take.
    public static var hangLimit: Self { .timeLimit(.minutes(10)) }
}
