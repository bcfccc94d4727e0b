// SPDX-License-Identifier: Apache-2.0

/// The functions and constants of the C library that do not have the same types or names on all platforms.
///
/// The module re-exports the platform's C library. Where a method has the name of a function, `TernCLibrary.read(…)` is the
/// function.
package enum CLibrary {}
