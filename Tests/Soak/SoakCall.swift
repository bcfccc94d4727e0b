// SPDX-License-Identifier: Apache-2.0
import Foundation
import Synchronization
import Tern
import TestSupport

/// The kind of a call, which depends only on its number, so that a run can be repeated.
enum SoakCall: Sendable {
    case data(byteCount: Int)
    case chunked(byteCount: Int)
    case lines(count: Int)
    case leaveLines(count: Int)
    case dropBody(byteCount: Int)
    case download(byteCount: Int)
    case upload(byteCount: Int)
    case uploadFile
    case uploadStream(pieceCount: Int)
    case cancel(SoakFault?, yieldCount: Int)
    case fault(SoakFault)

    init(number: Int) {
        var random = SeededGenerator(seed: UInt64(number))
        let size = Int.random(in: 0...4096, using: &random)
        let die = Int.random(in: 0..<1000, using: &random)
        self =
            switch die {
            case ..<50: .fault(SoakFault.allCases[size % SoakFault.allCases.count])
            case ..<60: .cancel(nil, yieldCount: size % 50)
            case ..<70: .cancel(size.isMultiple(of: 2) ? .stallHead : .stallBody, yieldCount: size % 200)
            case ..<90: .leaveLines(count: size)
            case ..<110: .dropBody(byteCount: size * 64)
            case ..<130: .download(byteCount: size * 32)
            case ..<150: .upload(byteCount: size * 50)
            case ..<160: .uploadFile
            case ..<170: .uploadStream(pieceCount: size % 50)
            case ..<220: .lines(count: size / 8)
            case ..<320: .chunked(byteCount: size)
            default: .data(byteCount: size)
            }
    }

    var name: String {
        switch self {
        case .data: "data"
        case .chunked: "data in chunks"
        case .lines: "lines"
        case .leaveLines: "lines, left early"
        case .dropBody: "body, dropped"
        case .download: "download"
        case .upload: "upload"
        case .uploadFile: "upload of a file"
        case .uploadStream: "upload in chunks"
        case .cancel: "cancelled"
        case .fault(let fault): "fault: \(fault.rawValue)"
        }
    }

    /// Returns whether a call of this kind may have an outcome.
    func allows(_ outcome: SoakOutcome) -> Bool {
        switch self {
        case .cancel: outcome == .success || outcome == .cancelled || outcome == .timedOut
        case .fault(let fault):
            switch fault {
            case .halfClose, .close, .stale, .drip: outcome == .success
            case .cutHead, .resetHead: outcome == .lost
            case .cutBody: outcome == .truncated
            case .resetBody: outcome == .truncated || outcome == .lost
            case .stallHead, .stallBody: outcome == .timedOut
            case .garbage: outcome == .violation
            }
        // A stream can be read only once, so the client cannot send it again after the server has closed an idle
        // connection.
        case .uploadStream: outcome == .success || outcome == .lost
        default: outcome == .success
        }
    }
}

/// The outcome of a call.
enum SoakOutcome: String, CaseIterable, Sendable {
    case success, cancelled, timedOut, lost, truncated, violation
    /// The call succeeded with the wrong content.
    case wrongContent
    /// The call failed with any other error.
    case other

    init(_ error: ClientError) {
        self =
            switch error {
            case .cancelled: .cancelled
            case .timedOut: .timedOut
            case .connectionLost: .lost
            case .truncated: .truncated
            case .protocolViolation: .violation
            default: .other
            }
    }
}

/// A delegate whose instances are counted, because an instance that is still in memory shows that a call is, too.
final class CountedDelegate: TaskDelegate {
    private static let live = Atomic(0)

    static var liveCount: Int { Self.live.load(ordering: .relaxed) }

    init() { Self.live.add(1, ordering: .relaxed) }

    deinit { Self.live.subtract(1, ordering: .relaxed) }
}
