// SPDX-License-Identifier: Apache-2.0
public import TernErrors

/// Why a store could not do what it was asked to.
@nonexhaustive
public enum CacheStoreFailure: Error, Hashable, Sendable {
    /// A file could not be read or written.
    case file(FileFailure)
    /// There is no room for so much.
    case tooLarge
    /// Another reason, of a store of one's own.
    case other(String)
}
