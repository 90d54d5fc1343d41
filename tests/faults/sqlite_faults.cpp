#include "tests/faults/sqlite_faults.hpp"

#include <cstring>
#include <new>
#include <sqlite3.h>
#include <stdexcept>

#include "tests/faults/injection.hpp"

namespace paika_tests {

namespace {

/// A file of ours, and behind it in the same memory the system's.
struct FaultyFile {
  sqlite3_file base{};
  sqlite3_file* real = nullptr;
};

sqlite3_file* real_of(sqlite3_file* file) {
  // NOLINTNEXTLINE(cppcoreguidelines-pro-type-reinterpret-cast): how SQLite's files are extended
  return reinterpret_cast<FaultyFile*>(file)->real;
}

bool io_fails() { return fault_is_due(FaultKind::io); }

// What changes a file, and what brings it to the disk, can fail; so can opening, and looking for its end.

int file_close(sqlite3_file* file) { return real_of(file)->pMethods->xClose(real_of(file)); }
int file_read(sqlite3_file* file, void* to, int count, sqlite3_int64 at) {
  if (io_fails()) return SQLITE_IOERR_READ;
  return real_of(file)->pMethods->xRead(real_of(file), to, count, at);
}
int file_write(sqlite3_file* file, const void* from, int count, sqlite3_int64 at) {
  if (!io_fails()) return real_of(file)->pMethods->xWrite(real_of(file), from, count, at);
  // The worst of a full disk: half of it is there.
  (void)real_of(file)->pMethods->xWrite(real_of(file), from, count / 2, at);
  return SQLITE_FULL;
}
int file_truncate(sqlite3_file* file, sqlite3_int64 size) {
  if (io_fails()) return SQLITE_IOERR_TRUNCATE;
  return real_of(file)->pMethods->xTruncate(real_of(file), size);
}
int file_sync(sqlite3_file* file, int flags) {
  if (io_fails()) return SQLITE_IOERR_FSYNC;
  return real_of(file)->pMethods->xSync(real_of(file), flags);
}
int file_size(sqlite3_file* file, sqlite3_int64* size) {
  if (io_fails()) return SQLITE_IOERR_FSTAT;
  return real_of(file)->pMethods->xFileSize(real_of(file), size);
}
int file_lock(sqlite3_file* file, int level) { return real_of(file)->pMethods->xLock(real_of(file), level); }
int file_unlock(sqlite3_file* file, int level) { return real_of(file)->pMethods->xUnlock(real_of(file), level); }
int file_check_lock(sqlite3_file* file, int* is_locked) {
  return real_of(file)->pMethods->xCheckReservedLock(real_of(file), is_locked);
}
int file_control(sqlite3_file* file, int operation, void* value) {
  return real_of(file)->pMethods->xFileControl(real_of(file), operation, value);
}
int file_sector(sqlite3_file* file) { return real_of(file)->pMethods->xSectorSize(real_of(file)); }
int file_traits(sqlite3_file* file) { return real_of(file)->pMethods->xDeviceCharacteristics(real_of(file)); }
int file_shm_map(sqlite3_file* file, int page, int size, int extend, void volatile** at) {
  if (io_fails()) return SQLITE_IOERR_SHMMAP;
  return real_of(file)->pMethods->xShmMap(real_of(file), page, size, extend, at);
}
int file_shm_lock(sqlite3_file* file, int offset, int count, int flags) {
  return real_of(file)->pMethods->xShmLock(real_of(file), offset, count, flags);
}
void file_shm_barrier(sqlite3_file* file) { real_of(file)->pMethods->xShmBarrier(real_of(file)); }
int file_shm_unmap(sqlite3_file* file, int remove) { return real_of(file)->pMethods->xShmUnmap(real_of(file), remove); }

const sqlite3_io_methods faulty_methods = {
    2,           file_close,   file_read,     file_write,       file_truncate,  file_sync,
    file_size,   file_lock,    file_unlock,   file_check_lock,  file_control,   file_sector,
    file_traits, file_shm_map, file_shm_lock, file_shm_barrier, file_shm_unmap, nullptr,
    nullptr};

sqlite3_vfs* system_vfs = nullptr;

int vfs_open(sqlite3_vfs* /*vfs*/, const char* name, sqlite3_file* file, int flags, int* out_flags) {
  auto* faulty = new (file) FaultyFile;
  // NOLINTNEXTLINE(cppcoreguidelines-pro-type-reinterpret-cast): the memory behind ours
  faulty->real = reinterpret_cast<sqlite3_file*>(faulty + 1);
  if (io_fails()) return SQLITE_CANTOPEN;
  const int code = system_vfs->xOpen(system_vfs, name, faulty->real, flags, out_flags);
  if (code == SQLITE_OK) faulty->base.pMethods = &faulty_methods;
  return code;
}
int vfs_delete(sqlite3_vfs* /*vfs*/, const char* name, int sync) {
  if (io_fails()) return SQLITE_IOERR_DELETE;
  return system_vfs->xDelete(system_vfs, name, sync);
}
int vfs_access(sqlite3_vfs* /*vfs*/, const char* name, int flags, int* result) {
  if (io_fails()) return SQLITE_IOERR_ACCESS;
  return system_vfs->xAccess(system_vfs, name, flags, result);
}

void put_vfs() {
  static sqlite3_vfs faulty;
  system_vfs = sqlite3_vfs_find(nullptr);
  faulty = *system_vfs;
  faulty.zName = "faulty";
  faulty.szOsFile = static_cast<int>(sizeof(FaultyFile)) + system_vfs->szOsFile;
  faulty.xOpen = vfs_open;
  faulty.xDelete = vfs_delete;
  faulty.xAccess = vfs_access;
  if (sqlite3_vfs_register(&faulty, 1) != SQLITE_OK) throw std::runtime_error("the VFS was refused");
}

sqlite3_mem_methods system_memory;

void* take_memory(int size) { return fault_is_due(FaultKind::memory) ? nullptr : system_memory.xMalloc(size); }
void* resize_memory(void* memory, int size) {
  return fault_is_due(FaultKind::memory) ? nullptr : system_memory.xRealloc(memory, size);
}

}  // namespace

void put_faults_into_sqlite() {
  static const bool done = [] {
    sqlite3_shutdown();
    if (sqlite3_config(SQLITE_CONFIG_GETMALLOC, &system_memory) != SQLITE_OK) throw std::runtime_error("no allocator");
    sqlite3_mem_methods faulty = system_memory;
    faulty.xMalloc = take_memory;
    faulty.xRealloc = resize_memory;
    if (sqlite3_config(SQLITE_CONFIG_MALLOC, &faulty) != SQLITE_OK) throw std::runtime_error("no allocator");
    // Else a connection takes its small pieces in advance, and those never fail.
    sqlite3_config(SQLITE_CONFIG_LOOKASIDE, 0, 0);
    if (sqlite3_initialize() != SQLITE_OK) throw std::runtime_error("SQLite does not start");
    put_vfs();
    return true;
  }();
  static_cast<void>(done);
}

}  // namespace paika_tests
