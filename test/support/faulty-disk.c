/* Preloaded (LD_PRELOAD) into a service: its disk fails, on the files whose name ends as FAULTY_DISK_FILE says, in the calls that
   FAULTY_DISK_CALLS names, with FAULTY_DISK_ERROR (EIO, ENOSPC; KILL ends the service in the call), as long as the file FAULTY_DISK_SWITCH exists; with
   FAULTY_DISK_FROM only in writes that end behind that byte, with FAULTY_DISK_ONCE in a single call. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/types.h>
#include <unistd.h>

static int is_on(const char *call) {
  const char *on = getenv("FAULTY_DISK_SWITCH"), *calls = getenv("FAULTY_DISK_CALLS");
  int before = errno, is;
  is = on && calls && strstr(calls, call) && access(on, F_OK) == 0;
  errno = before;
  return is;
}

static int befalls(const char *name, ssize_t length) {
  const char *file = getenv("FAULTY_DISK_FILE"), *error = getenv("FAULTY_DISK_ERROR");
  if (!file || length < (ssize_t)strlen(file) || strncmp(name + length - strlen(file), file, strlen(file)) != 0) return 0;
  if (getenv("FAULTY_DISK_ONCE")) unlink(getenv("FAULTY_DISK_SWITCH"));
  if (error && strcmp(error, "KILL") == 0) raise(SIGKILL);
  errno = error && strcmp(error, "ENOSPC") == 0 ? ENOSPC : EIO;
  return 1;
}

/* In the place of an argument: where the write of a FAULTY call ends. */
#define ANYWHERE LLONG_MAX

static int fails(const char *call, int fd, long long end) {
  char link[64], name[4096];
  ssize_t length;
  int before = errno;
  const char *from = getenv("FAULTY_DISK_FROM");
  if (!is_on(call) || (from && end <= atoll(from))) return 0;
  snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
  length = readlink(link, name, sizeof name - 1);
  errno = before;
  return befalls(name, length);
}

/* Of the two names the one that the file gets. */
int rename(const char *from, const char *to) {
  static int (*real)(const char *, const char *);
  if (!real) real = (int (*)(const char *, const char *))dlsym(RTLD_NEXT, "rename");
  return is_on("rename") && befalls(to, strlen(to)) ? -1 : real(from, to);
}

#define FAULTY(type, call, name, end, parameters, arguments)                           \
  type name parameters {                                                     \
    static type(*real) parameters;                                           \
    if (!real) real = (type(*) parameters)dlsym(RTLD_NEXT, #name);           \
    return fails(#call, fd, end) ? -1 : real arguments;                           \
  }

FAULTY(ssize_t, pread, pread, ANYWHERE, (int fd, void *to, size_t length, off_t at), (fd, to, length, at))
FAULTY(ssize_t, pread, pread64, ANYWHERE, (int fd, void *to, size_t length, off64_t at), (fd, to, length, at))
FAULTY(ssize_t, pwrite, pwrite, at + (long long)length, (int fd, const void *from, size_t length, off_t at), (fd, from, length, at))
FAULTY(ssize_t, pwrite, pwrite64, at + (long long)length, (int fd, const void *from, size_t length, off64_t at), (fd, from, length, at))
FAULTY(int, fsync, fsync, ANYWHERE, (int fd), (fd))
FAULTY(int, fdatasync, fdatasync, ANYWHERE, (int fd), (fd))
FAULTY(int, ftruncate, ftruncate, ANYWHERE, (int fd, off_t length), (fd, length))
FAULTY(int, ftruncate, ftruncate64, ANYWHERE, (int fd, off64_t length), (fd, length))
