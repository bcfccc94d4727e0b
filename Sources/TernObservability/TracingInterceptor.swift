// SPDX-License-Identifier: Apache-2.0
public import Tern
public import Tracing

/// Makes a span of each call or of each attempt, and sends the context of the trace along.
///
/// Put one in both lists, or have ``Tern/Client/Configuration/addTracing(_:)`` do so:
///
/// ```swift
/// var configuration = Client.Configuration()
/// configuration.addTracing()
/// ```
///
/// A span has the attributes that OpenTelemetry's conventions for HTTP name, without the query of the URL. It ends when
/// the body of the response was read to its end, when the call or the attempt failed, or else when the body is
/// released. A span that was cancelled has `tern.cancelled` and is no error. What an interceptor, a credential or a redirect does within a call is within its span.
///
/// The context is injected into the fields of each attempt by the tracer; with one of OpenTelemetry it is `traceparent`
/// (W3C Trace Context). Attempts of a call without a span of its own belong to the task's current span.
public struct TracingInterceptor: Interceptor {
    /// What becomes a span.
    @nonexhaustive
    public enum Place: Hashable, Sendable {
        /// Each call, for `Client.Configuration.callInterceptors`.
        case call
        /// Each attempt, for `Client.Configuration.attemptInterceptors`; it injects the context.
        case attempt
    }

    private let place: Place
    private let tracer: (any Tracer)?

    /// Creates an interceptor.
    ///
    /// - Parameters:
    ///   - place: in which list it is.
    ///   - tracer: makes the spans; by default that of `InstrumentationSystem`, asked at each call.
    public init(_ place: Place, tracer: (any Tracer)? = nil) {
        self.place = place
        self.tracer = tracer
    }

    public func respond(to call: HTTPCall, next: NextStages) async throws(ClientError) -> HTTPReply {
        let tracer = self.tracer ?? InstrumentationSystem.tracer
        var call = call
        let method = call.request.method.rawValue
        let span: any Span
        switch self.place {
        case .call:
            span = tracer.startSpan("HTTP \(ObservedText.method(method))", ofKind: .internal)
        case .attempt:
            span = tracer.startSpan(ObservedText.method(method), ofKind: .client)
            tracer.inject(span.context, into: &call.request.fields, using: FieldInjector())
        }
        let observation = SpanObservation(span)
        observation.begin(call)
        let outcome = await Self.ask(next, call, within: span.context)
        switch outcome {
        case .success(let reply): return observation.complete(reply)
        case .failure(let error):
            observation.end(error)
            throw error
        }
    }

    private static func ask(
        _ next: NextStages,
        _ call: HTTPCall,
        within context: ServiceContext
    ) async -> Result<HTTPReply, ClientError> {
        await ServiceContext.withValue(context) {
            do throws(ClientError) {
                return .success(try await next.respond(to: call))
            } catch {
                return .failure(error)
            }
        }
    }
}

extension Client.Configuration {
    /// Has each call and each of its attempts traced: puts a ``TracingInterceptor`` in both lists, as the first.
    ///
    /// - Parameter tracer: makes the spans; by default that of `InstrumentationSystem`, asked at each call.
    public mutating func addTracing(_ tracer: (any Tracer)? = nil) {
        self.callInterceptors.insert(TracingInterceptor(.call, tracer: tracer), at: 0)
        self.attemptInterceptors.insert(TracingInterceptor(.attempt, tracer: tracer), at: 0)
    }
}

/// Puts what a tracer has to say into the fields of a request.
struct FieldInjector: Injector {
    func inject(_ value: String, forKey key: String, into fields: inout HTTPFields) {
        guard let name = HTTPField.Name(key) else { return }
        fields[name] = value
    }
}
