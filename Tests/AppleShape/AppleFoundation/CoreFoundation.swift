// SPDX-License-Identifier: Apache-2.0

// developer.apple.com/documentation/corefoundation, which Apple's Foundation re-exports. There, `as` bridges a value of
// Swift to a class of Core Foundation. Linux bridges nothing, so that here they are one type.
public typealias CFString = String
public typealias CFArray = [Any]
public typealias CFData = Data
public typealias CFDate = Date
public typealias CFTypeRef = Any
public typealias CFIndex = Int
public typealias CFDictionary = [String: Any]
public typealias CFTypeID = UInt

/// An allocator, for which callers pass `nil`.
public final class CFAllocator {}

/// An error of a framework, with a code.
public final class CFError {
    let code: CFIndex

    /// Creates an error.
    public init(code: CFIndex) { self.code = code }
}

/// Returns the code of an error.
public func CFErrorGetCode(_ error: CFError!) -> CFIndex { error.code }
