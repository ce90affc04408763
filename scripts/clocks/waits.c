/*
 * Waits without libfaketime. Its own wrappers show the real time to signal handlers that run during a wait, and
 * PostgreSQL's handler then takes its timers (deadlock detection, time-outs) for not yet due. The clock only has an
 * offset, so waits need no conversion.
 */
#define _GNU_SOURCE
#include <signal.h>
#include <sys/epoll.h>
#include <sys/syscall.h>
#include <unistd.h>

int epoll_pwait(int fd, struct epoll_event *events, int size, int timeout, const sigset_t *mask) {
  return syscall(SYS_epoll_pwait, fd, events, size, timeout, mask, _NSIG / 8);
}

int epoll_wait(int fd, struct epoll_event *events, int size, int timeout) {
  return epoll_pwait(fd, events, size, timeout, 0);
}
