// SPDX-License-Identifier: Apache-2.0
public import Testing

extension Trait where Self == TimeLimitTrait {
    /// Ends a test that hangs, and says which one it was.
    ///
    /// It guards against hanging, not against slowness: the time of a test counts from when it starts, while hundreds of
    /// others share the cores with it, so a limit that is near to what a test needs fails on a slow or busy machine.
    /// Ten minutes are a hundred times what the slowest test takes, and much less than what a whole run may take.
    public static var hangLimit: Self { .timeLimit(.minutes(10)) }
}
