// SPDX-License-Identifier: Apache-2.0
import Testing

@testable import TernURLSession

@Suite("Steering of a task")
struct TaskSteeringTests {
    /// Carries out commands until there is none.
    private func settle(_ steering: inout TaskSteering) -> [TaskSteering.Command] {
        var commands: [TaskSteering.Command] = []
        while let command = steering.next() {
            commands.append(command)
            steering.didPerform(command)
        }
        return commands
    }

    @Test func `each wish is one command`() {
        var steering = TaskSteering()
        #expect(self.settle(&steering) == [])
        for (wish, command) in [
            (TaskSteering.Wish.running, TaskSteering.Command.resume), (.paused, .suspend), (.running, .resume),
            (.cancelled, .cancel),
        ] {
            steering.wish = wish
            #expect(self.settle(&steering) == [command])
            #expect(self.settle(&steering) == [])
        }
    }

    @Test func `only one thread carries out commands, and it goes on until the wish is met`() {
        var steering = TaskSteering()
        steering.wish = .running
        #expect(steering.next() == .resume)
        steering.wish = .paused
        #expect(steering.next() == nil)  // another thread, during `resume()`
        steering.didPerform(.resume)
        #expect(steering.next() == .suspend)
        steering.wish = .running
        #expect(steering.next() == nil)
        steering.didPerform(.suspend)
        #expect(self.settle(&steering) == [.resume])
    }

    @Test func `wishes that cancel each other need no command`() {
        var steering = TaskSteering()
        steering.wish = .running
        #expect(self.settle(&steering) == [.resume])
        steering.wish = .paused
        steering.wish = .running
        #expect(self.settle(&steering) == [])
    }

    @Test func `a cancelled task stays cancelled`() {
        var steering = TaskSteering()
        steering.wish = .cancelled
        steering.wish = .running
        #expect(self.settle(&steering) == [.cancel])
    }

    @Test func `a task that has not begun is not suspended`() {
        var steering = TaskSteering()
        steering.wish = .paused
        #expect(self.settle(&steering) == [])
    }
}
