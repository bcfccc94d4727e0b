// SPDX-License-Identifier: Apache-2.0
import HTTPTypes
import Synchronization
import Tern

/// The client's delegate, which signs in, reports retries, and records certificates; each call has another one for its progress.
final class CommandDelegate: TaskDelegate {
    /// As in ssh.
    private static let maximumQuestionCount = 3

    private struct State {
        var questionCount = 0
        var trust: ServerTrust?
        var reportsRetries = false
        var cookieStore: FileCookieStore?
        var allowedRetryCount = 0
        var retryCount = 0
        var progress: ProgressLine?
    }

    let questioner: any Questioner
    let collector: MetricsCollector?
    /// Whether standard error is reserved for machines, so that no text may be written there.
    let isForMachines: Bool
    let trace: ExchangeTrace?
    let place: CallPlace
    private let asks: Bool
    private let showsTLS: Bool
    private let state = Mutex(State())

    init(
        _ options: ConnectionOptions,
        _ questioner: any Questioner = Terminal(),
        collector: MetricsCollector? = nil,
        trace: ExchangeTrace? = nil,
        isForMachines: Bool = false,
        place: CallPlace = CallPlace()
    ) {
        self.place = place
        self.isForMachines = isForMachines
        self.trace = trace
        self.collector = collector
        self.questioner = questioner
        self.asks = options.signIn.ask
        self.showsTLS = options.tls.tlsInfo && !isForMachines
    }

    /// The certificates that the server presented last, if they were evaluated.
    var trust: ServerTrust? { self.state.withLock { $0.trust } }

    var reportsRetries: Bool { self.state.withLock { $0.reportsRetries } }

    func reportsRetries(_ tells: Bool) { self.state.withLock { $0.reportsRetries = tells } }

    func task(_ task: TaskInfo, willRetryAfter delay: Duration, because cause: RetryCause) {
        guard self.reportsRetries else { return }
        System.tell(Self.line(onRetryAfter: delay, because: cause))
    }

    func task(willBeginAgainAfter delay: Duration, because error: ClientError) {
        guard self.reportsRetries else { return }
        System.tell(Self.line(onRetryAfter: delay, because: .failure(error)))
    }

    static func line(onRetryAfter delay: Duration, because cause: RetryCause) -> String {
        let reason =
            switch cause {
            case .failure(let error): "\(error)"
            case .response(let response): "the server answered \(response.statusCode)"
            }
        let seconds = (delay / .milliseconds(100)).rounded() / 10
        return TerminalText.note("\(reason); trying again in \(seconds) s")
    }

    func allowsRetries(_ count: Int) { self.state.withLock { $0.allowedRetryCount = count } }

    /// Counts a retry of an interrupted body, and returns the delay before it; `nil` if no more are allowed.
    func nextRetry(_ policy: RetryPolicy) -> Duration? {
        let count = self.state.withLock { state -> Int? in
            guard state.retryCount < state.allowedRetryCount else { return nil }
            state.retryCount += 1
            return state.retryCount
        }
        var generator = SystemRandomNumberGenerator()
        return count.map { policy.backoff.delay(before: $0, using: &generator) }
    }

    /// Registers a progress line, so that it continues at its position when the client requests the rest of a body.
    func follow(_ progress: ProgressLine) { self.state.withLock { $0.progress = progress } }

    func willResume(at offset: Int64, after delay: Duration, because error: ClientError) {
        self.state.withLock { $0.progress }?.continues()
        guard self.reportsRetries else { return }
        let seconds = (delay / .milliseconds(100)).rounded() / 10
        System.tell(TerminalText.note("\(error); continuing at byte \(offset) in \(seconds) s"))
    }

    func task(_ task: TaskInfo, didReceiveInformationalResponse response: HTTPResponse) {
        self.trace?.received(response)
    }

    /// Registers a file of cookies to write when the call is over.
    func keep(_ store: FileCookieStore) { self.state.withLock { $0.cookieStore = store } }

    func writeCookies() async -> CommandFailure? {
        do throws(CookieFileError) {
            try await self.state.withLock { $0.cookieStore }?.flush()
            return nil
        } catch {
            return CommandFailure(outcome: .fileFailed, message: "the cookies could not be saved: \(error)")
        }
    }

    func task(_ task: TaskInfo, didReceive challenge: AuthenticationChallenge) async -> ChallengeDisposition? {
        switch challenge.kind {
        case .serverTrust(let trust):
            self.state.withLock { $0.trust = trust }
            if self.showsTLS { System.tell(TLSText.lines(on: trust)) }
            return nil
        case .http:
            guard self.asks, let credential = await self.askForCredential(challenge) else { return nil }
            return .useCredential(credential)
        default:
            return nil
        }
    }

    /// Returns `nil` without asking if the scheme is neither Basic nor Digest, if there is a credential to try first, or after too
    /// many questions.
    private func askForCredential(_ challenge: AuthenticationChallenge) async -> Credential? {
        let space = challenge.protectionSpace
        guard space.scheme == .basic || space.scheme == .digest, challenge.proposedCredential == nil else { return nil }
        let isAllowed = self.state.withLock { state in
            state.questionCount += 1
            return state.questionCount <= Self.maximumQuestionCount
        }
        guard isAllowed else { return nil }
        do throws(CommandFailure) {
            let refused = challenge.previousFailureCount > 0 ? "The credentials were refused. " : ""
            let advice = "use --user or --netrc-file"
            let question = "\(refused)Sign in: \(space)\nUser: "
            let user = try await self.questioner.ask(question, isSecret: false, otherwise: advice)
            let password = try await self.questioner.ask("Password: ", isSecret: true, otherwise: advice)
            return Credential(user: user, password: password)
        } catch {
            if error.outcome != .interrupted, !self.isForMachines { System.tell(TerminalText.note(error.message)) }
            // The user did not answer, so do not ask again. The response says that signing in is required.
            self.state.withLock { $0.questionCount = Self.maximumQuestionCount }
            return nil
        }
    }
}
