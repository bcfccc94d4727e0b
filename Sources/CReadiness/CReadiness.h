// SPDX-License-Identifier: Apache-2.0

#ifndef TERN_CREADINESS_H
#define TERN_CREADINESS_H

#if defined(__linux__)
#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stddef.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/prctl.h>
#include <sys/sendfile.h>
#include <sys/types.h>
#include <time.h>

// prctl takes a variable number of arguments, so Swift cannot call it.
static inline void CReadiness_nameThread(const char *name) { prctl(PR_SET_NAME, name); }

// The fields of sigaction have other names in each C library.
static inline void CReadiness_ignoreBrokenPipes(void)
{
    struct sigaction action;
    if (sigaction(SIGPIPE, NULL, &action) != 0) return;
    if ((action.sa_flags & SA_SIGINFO) == 0 && action.sa_handler == SIG_DFL) signal(SIGPIPE, SIG_IGN);
}

// Sends a part of a file like sendfile, but without SIGPIPE if the peer has reset the connection. sendfile has no option
// like MSG_NOSIGNAL, and the application may have set the action of SIGPIPE back to its default, which ends the process.
static inline ssize_t CReadiness_sendFile(int socket, int file, off_t *offset, size_t count)
{
    sigset_t brokenPipe, before, pending;
    sigemptyset(&brokenPipe);
    sigaddset(&brokenPipe, SIGPIPE);
    sigemptyset(&pending);
    sigpending(&pending);
    // A signal that is pending already is not of this call, so it stays.
    int wasPending = sigismember(&pending, SIGPIPE) == 1;
    if (pthread_sigmask(SIG_BLOCK, &brokenPipe, &before) != 0) return sendfile(socket, file, offset, count);
    ssize_t result = sendfile(socket, file, offset, count);
    int problem = errno;
    if (result < 0 && problem == EPIPE && !wasPending) {
        // The system sends the signal to this thread, so that it is pending before the call returns.
        struct timespec none = {0, 0};
        while (sigtimedwait(&brokenPipe, NULL, &none) < 0 && errno == EINTR) {}
    }
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    errno = problem;
    return result;
}
#endif

#endif
