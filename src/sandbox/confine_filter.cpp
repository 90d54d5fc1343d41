#include "sandbox/confine_filter.hpp"

#include <array>
#include <cerrno>
#include <cstddef>
#include <cstdint>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/sched.h>
#include <linux/seccomp.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <vector>

namespace paika::sandbox {

namespace {

#if defined(__x86_64__)
constexpr std::uint32_t machine = AUDIT_ARCH_X86_64;
constexpr std::uint32_t first_foreign_call = 0x40000000;  // x32, the same machine's other set of calls
#elif defined(__aarch64__)
constexpr std::uint32_t machine = AUDIT_ARCH_AARCH64;
constexpr std::uint32_t first_foreign_call = 0xffffffff;
#else
#error "the filter of system calls has to learn this processor's name"
#endif

/// Refused as not permitted.
constexpr std::array forbidden = {
    SYS_ptrace,
    SYS_process_vm_readv,
    SYS_process_vm_writev,
    SYS_kcmp,
    SYS_pidfd_getfd,  // others' memory and files
    SYS_mount,
    SYS_umount2,
    SYS_pivot_root,
    SYS_chroot,
    SYS_move_mount,
    SYS_open_tree,
    SYS_fsopen,
    SYS_fsconfig,
    SYS_fsmount,
    SYS_fspick,
    SYS_mount_setattr,
    SYS_name_to_handle_at,
    SYS_open_by_handle_at,  // the file system
    SYS_unshare,
    SYS_setns,  // namespaces
    SYS_keyctl,
    SYS_add_key,
    SYS_request_key,
    SYS_bpf,
    SYS_perf_event_open,
    SYS_userfaultfd,  // parts of the kernel
    SYS_init_module,
    SYS_finit_module,
    SYS_delete_module,
    SYS_kexec_load,
    SYS_kexec_file_load,
    SYS_syslog,
    SYS_acct,
    SYS_quotactl,
    SYS_swapon,
    SYS_swapoff,
    SYS_reboot,
    SYS_settimeofday,
    SYS_clock_settime,
    SYS_adjtimex,
    SYS_clock_adjtime,
    SYS_sethostname,
    SYS_setdomainname,
    SYS_vhangup,
    SYS_memfd_create,
    SYS_shmget,  // memory that no process is charged with
};

/// Refused as unknown, so that libraries do it another way: clone3 hides its flags where no filter sees them.
constexpr std::array unknown = {SYS_clone3, SYS_io_uring_setup, SYS_io_uring_enter, SYS_io_uring_register};

constexpr std::uint32_t new_namespaces =
    CLONE_NEWUSER | CLONE_NEWNS | CLONE_NEWPID | CLONE_NEWNET | CLONE_NEWIPC | CLONE_NEWUTS | CLONE_NEWCGROUP;

/// A program for the kernel's filter, written from top to bottom.
class Filter {
 public:
  void load(std::size_t offset) { add(BPF_LD | BPF_W | BPF_ABS, static_cast<std::uint32_t>(offset)); }
  void answer(std::uint32_t what) { add(BPF_RET | BPF_K, what); }
  /// The next `count` instructions run only if the loaded number is `value`.
  void if_equal(std::uint32_t value, unsigned char count = 1) { add(BPF_JMP | BPF_JEQ | BPF_K, value, 0, count); }
  void unless_equal(std::uint32_t value, unsigned char count = 1) { add(BPF_JMP | BPF_JEQ | BPF_K, value, count, 0); }
  void if_at_least(std::uint32_t value, unsigned char count = 1) { add(BPF_JMP | BPF_JGE | BPF_K, value, 0, count); }
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

}  // namespace

bool install_filter() {
  Filter filter;
  filter.load(offsetof(seccomp_data, arch));
  filter.unless_equal(machine);
  filter.answer(SECCOMP_RET_KILL_PROCESS);
  filter.load(offsetof(seccomp_data, nr));
  filter.if_at_least(first_foreign_call);
  filter.answer(refuse(ENOSYS));
  for (const auto call : forbidden) {
    filter.if_equal(static_cast<std::uint32_t>(call));
    filter.answer(refuse(EPERM));
  }
  for (const auto call : unknown) {
    filter.if_equal(static_cast<std::uint32_t>(call));
    filter.answer(refuse(ENOSYS));
  }
  filter.if_equal(SYS_clone, 4);
  filter.load(argument(0));
  filter.if_any_bit(new_namespaces);
  filter.answer(refuse(EPERM));
  filter.answer(SECCOMP_RET_ALLOW);
  for (const auto call : {SYS_socket, SYS_socketpair}) {
    filter.if_equal(static_cast<std::uint32_t>(call), 4);
    filter.load(argument(0));
    filter.unless_equal(AF_UNIX);
    filter.answer(refuse(EACCES));
    filter.answer(SECCOMP_RET_ALLOW);
  }
  filter.answer(SECCOMP_RET_ALLOW);
  return filter.install();
}

}  // namespace paika::sandbox
