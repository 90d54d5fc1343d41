#include "sandbox/confine_filter.hpp"

#include <array>
#include <cerrno>
#include <csignal>
#include <cstddef>
#include <cstdint>
#include <fcntl.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/sched.h>
#include <linux/seccomp.h>
#include <sys/ioctl.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <vector>

namespace paika::sandbox {

namespace {

#if defined(__x86_64__)
constexpr std::uint32_t machine = AUDIT_ARCH_X86_64;
#elif defined(__aarch64__)
constexpr std::uint32_t machine = AUDIT_ARCH_AARCH64;
#else
#error "the filter of system calls has to learn this processor's name"
#endif

/// Calls that have been superseded; only x86-64 still has them.
#if defined(__x86_64__)
constexpr std::array old_calls = {
    SYS_open,       SYS_creat,        SYS_stat,       SYS_lstat,   SYS_access,    SYS_pipe,    SYS_dup2,
    SYS_select,     SYS_poll,         SYS_fork,       SYS_vfork,   SYS_rename,    SYS_mkdir,   SYS_rmdir,
    SYS_link,       SYS_unlink,       SYS_symlink,    SYS_chmod,   SYS_chown,     SYS_lchown,  SYS_readlink,
    SYS_getdents,   SYS_utime,        SYS_utimes,     SYS_time,    SYS_alarm,     SYS_pause,   SYS_eventfd,
    SYS_arch_prctl, SYS_epoll_create, SYS_epoll_wait, SYS_getpgrp, SYS_futimesat, SYS_signalfd};
#else
constexpr std::array<long, 0> old_calls = {};
#endif

constexpr std::array file_calls = {
    SYS_read,       SYS_write,      SYS_readv,      SYS_writev,          SYS_pread64,    SYS_pwrite64,  SYS_preadv,
    SYS_pwritev,    SYS_preadv2,    SYS_pwritev2,   SYS_openat,          SYS_openat2,    SYS_close,     SYS_close_range,
    SYS_lseek,      SYS_fstat,      SYS_newfstatat, SYS_statx,           SYS_statfs,     SYS_fstatfs,   SYS_faccessat,
    SYS_faccessat2, SYS_dup,        SYS_dup3,       SYS_pipe2,           SYS_getdents64, SYS_mkdirat,   SYS_unlinkat,
    SYS_renameat2,  SYS_linkat,     SYS_symlinkat,  SYS_fchmod,          SYS_fchmodat,   SYS_fchown,    SYS_fchownat,
    SYS_readlinkat, SYS_truncate,   SYS_ftruncate,  SYS_fallocate,       SYS_fadvise64,  SYS_readahead, SYS_fsync,
    SYS_fdatasync,  SYS_flock,      SYS_utimensat,  SYS_umask,           SYS_getcwd,     SYS_chdir,     SYS_fchdir,
    SYS_sendfile,   SYS_splice,     SYS_tee,        SYS_copy_file_range, SYS_getxattr,   SYS_lgetxattr, SYS_fgetxattr,
    SYS_listxattr,  SYS_llistxattr, SYS_flistxattr,
#if defined(SYS_renameat)
    SYS_renameat,
#endif
};

constexpr std::array time_calls = {SYS_ppoll,           SYS_pselect6,        SYS_epoll_create1,   SYS_epoll_ctl,
                                   SYS_epoll_pwait,     SYS_epoll_pwait2,    SYS_eventfd2,        SYS_signalfd4,
                                   SYS_timerfd_create,  SYS_timerfd_settime, SYS_timerfd_gettime, SYS_nanosleep,
                                   SYS_clock_gettime,   SYS_clock_getres,    SYS_clock_nanosleep, SYS_gettimeofday,
                                   SYS_times,           SYS_getitimer,       SYS_setitimer,       SYS_futex,
                                   SYS_set_robust_list, SYS_get_robust_list, SYS_restart_syscall};

constexpr std::array memory_calls = {SYS_brk,     SYS_mmap,     SYS_munmap,     SYS_mremap,     SYS_mprotect,
                                     SYS_madvise, SYS_mincore,  SYS_msync,      SYS_mlock,      SYS_mlock2,
                                     SYS_munlock, SYS_mlockall, SYS_munlockall, SYS_membarrier, SYS_rseq};

constexpr std::array process_calls = {SYS_execve,
                                      SYS_execveat,
                                      SYS_exit,
                                      SYS_exit_group,
                                      SYS_wait4,
                                      SYS_waitid,
                                      SYS_kill,
                                      SYS_tkill,
                                      SYS_tgkill,
                                      SYS_pidfd_open,
                                      SYS_pidfd_send_signal,
                                      SYS_rt_sigaction,
                                      SYS_rt_sigprocmask,
                                      SYS_rt_sigreturn,
                                      SYS_rt_sigpending,
                                      SYS_rt_sigtimedwait,
                                      SYS_rt_sigsuspend,
                                      SYS_rt_sigqueueinfo,
                                      SYS_rt_tgsigqueueinfo,
                                      SYS_sigaltstack,
                                      SYS_set_tid_address,
                                      SYS_getpid,
                                      SYS_getppid,
                                      SYS_gettid,
                                      SYS_getpgid,
                                      SYS_getsid,
                                      SYS_getuid,
                                      SYS_geteuid,
                                      SYS_getgid,
                                      SYS_getegid,
                                      SYS_getresuid,
                                      SYS_getresgid,
                                      SYS_getgroups,
                                      SYS_setuid,
                                      SYS_setgid,
                                      SYS_setreuid,
                                      SYS_setregid,
                                      SYS_setresuid,
                                      SYS_setresgid,
                                      SYS_setfsuid,
                                      SYS_setfsgid,
                                      SYS_capget,
                                      SYS_getrlimit,
                                      SYS_getrusage,
                                      SYS_getpriority,
                                      SYS_sched_yield,
                                      SYS_sched_getaffinity,
                                      SYS_sched_getparam,
                                      SYS_sched_getscheduler,
                                      SYS_sched_getattr,
                                      SYS_sched_get_priority_max,
                                      SYS_sched_get_priority_min,
                                      SYS_sched_rr_get_interval,
                                      SYS_getcpu,
                                      SYS_uname,
                                      SYS_sysinfo,
                                      SYS_getrandom};

/// For the two ends of a socketpair(), which runtimes use as pipes.
constexpr std::array socket_calls = {SYS_sendto,   SYS_recvfrom, SYS_sendmsg,    SYS_recvmsg,     SYS_sendmmsg,
                                     SYS_recvmmsg, SYS_shutdown, SYS_getsockopt, SYS_getsockname, SYS_getpeername};

/// Programs expect these to be refused rather than to be missing. Who leaves its session or group could be continued by
/// the kernel when its parent ends; the others are for the network and for larger socket buffers.
constexpr std::array refused_calls = {SYS_setsid, SYS_setpgid, SYS_socket, SYS_setsockopt};

constexpr std::uint32_t new_namespaces =
    CLONE_NEWUSER | CLONE_NEWNS | CLONE_NEWPID | CLONE_NEWNET | CLONE_NEWIPC | CLONE_NEWUTS | CLONE_NEWCGROUP;
constexpr std::uint32_t exit_signal_bits = 0xff;

/// A program for the kernel's filter, written from top to bottom.
class Filter {
 public:
  void load(std::size_t offset) { add(BPF_LD | BPF_W | BPF_ABS, static_cast<std::uint32_t>(offset)); }
  void keep_bits(std::uint32_t bits) { add(BPF_ALU | BPF_AND | BPF_K, bits); }
  void answer(std::uint32_t what) { add(BPF_RET | BPF_K, what); }
  /// The next `count` instructions run only if the loaded number is `value`.
  void if_equal(std::uint32_t value, unsigned char count = 1) { add(BPF_JMP | BPF_JEQ | BPF_K, value, 0, count); }
  void unless_equal(std::uint32_t value, unsigned char count = 1) { add(BPF_JMP | BPF_JEQ | BPF_K, value, count, 0); }
  void if_any_bit(std::uint32_t bits, unsigned char count = 1) { add(BPF_JMP | BPF_JSET | BPF_K, bits, 0, count); }

  [[nodiscard]] bool install() {
    const sock_fprog program{static_cast<unsigned short>(code_.size()), code_.data()};
    return prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program, 0, 0) == 0;
  }

 private:
  void add(unsigned code, std::uint32_t value, unsigned char if_true = 0, unsigned char if_false = 0) {
    code_.push_back({static_cast<unsigned short>(code), if_true, if_false, value});
  }
  std::vector<sock_filter> code_;
};

constexpr std::uint32_t refuse(int error) { return SECCOMP_RET_ERRNO | static_cast<std::uint32_t>(error); }

/// The lower half of a call's argument; both processors are little-endian.
constexpr std::size_t argument(std::size_t number) {
  return offsetof(seccomp_data, args) + number * sizeof(std::uint64_t);
}

template <class Calls>
void allow(Filter& filter, const Calls& calls) {
  for (const auto call : calls) {
    filter.if_equal(static_cast<std::uint32_t>(call));
    filter.answer(SECCOMP_RET_ALLOW);
  }
}

/// Allows a call unless one of its arguments is one of these.
void allow_unless(Filter& filter, long call, std::size_t number, const std::vector<std::uint32_t>& values) {
  filter.if_equal(static_cast<std::uint32_t>(call), static_cast<unsigned char>(2 * values.size() + 2));
  filter.load(argument(number));
  for (const std::uint32_t value : values) {
    filter.if_equal(value);
    filter.answer(refuse(EPERM));
  }
  filter.answer(SECCOMP_RET_ALLOW);
}

/// Allows a call if its first argument is this.
void allow_only(Filter& filter, long call, std::uint32_t value) {
  filter.if_equal(static_cast<std::uint32_t>(call), 4);
  filter.load(argument(0));
  filter.if_equal(value);
  filter.answer(SECCOMP_RET_ALLOW);
  filter.answer(refuse(EPERM));
}

/// New processes stay in our namespaces, and their end is told by SIGCHLD or not at all.
void allow_clone(Filter& filter) {
  filter.if_equal(SYS_clone, 9);
  filter.load(argument(0));
  filter.if_any_bit(new_namespaces);
  filter.answer(refuse(EPERM));
  filter.keep_bits(exit_signal_bits);
  filter.if_equal(0);
  filter.answer(SECCOMP_RET_ALLOW);
  filter.if_equal(SIGCHLD);
  filter.answer(SECCOMP_RET_ALLOW);
  filter.answer(refuse(EPERM));
}

/// A process sets and asks for limits of its own alone. That of core dumps it may only ask for: 1 keeps the kernel from
/// giving dumps to a program outside, and neither 0 nor more would.
void allow_limits(Filter& filter) {
  constexpr std::size_t upper_half = sizeof(std::uint32_t);
  allow_unless(filter, SYS_setrlimit, 0, {RLIMIT_CORE});
  filter.if_equal(SYS_prlimit64, 13);
  filter.load(argument(0));
  filter.unless_equal(0);
  filter.answer(refuse(EPERM));
  filter.load(argument(1));
  filter.unless_equal(RLIMIT_CORE);
  filter.answer(SECCOMP_RET_ALLOW);
  for (const std::size_t half : {std::size_t{0}, upper_half}) {
    filter.load(argument(2) + half);
    filter.unless_equal(0);
    filter.answer(refuse(EPERM));
  }
  filter.answer(SECCOMP_RET_ALLOW);
}

}  // namespace

bool install_filter() {
  Filter filter;
  filter.load(offsetof(seccomp_data, arch));
  filter.unless_equal(machine);
  filter.answer(SECCOMP_RET_KILL_PROCESS);
  filter.load(offsetof(seccomp_data, nr));
  allow(filter, file_calls);
  allow(filter, time_calls);
  allow(filter, memory_calls);
  allow(filter, process_calls);
  allow(filter, socket_calls);
  allow(filter, old_calls);
  allow_clone(filter);
  allow_only(filter, SYS_socketpair, AF_UNIX);
  allow_limits(filter);
  // A signal of its choice, perhaps SIGCONT, when its parent ends; being hidden from the watcher.
  allow_unless(filter, SYS_prctl, 0, {PR_SET_PDEATHSIG, PR_SET_DUMPABLE});
  allow_unless(filter, SYS_fcntl, 1, {F_SETSIG, F_NOTIFY, F_SETLEASE});
  allow_unless(filter, SYS_ioctl, 1, {TIOCSTI, TIOCSCTTY, TIOCLINUX});
  for (const auto call : refused_calls) {
    filter.if_equal(static_cast<std::uint32_t>(call));
    filter.answer(refuse(EPERM));
  }
  filter.answer(refuse(ENOSYS));
  return filter.install();
}

}  // namespace paika::sandbox
