// SPDX-License-Identifier: Apache-2.0

// A stand-in for Apple's Combine: OpenCombine has the same declarations.
@_exported public import OpenCombine
