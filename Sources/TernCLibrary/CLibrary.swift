// SPDX-License-Identifier: Apache-2.0

/// The functions and constants of the C library that do not have the same types or names on all platforms.
///
/// This module re-exports the platform's C library, so `import TernCLibrary` is enough for everything else, too. Where a
/// method has the name of a function, `TernCLibrary.read(…)` is the function. The files of this module that end in the
/// name of a C library have the declarations for it.
package enum CLibrary {}
