// OwnerLock: the right to write into a store's file, held by one Store on the machine at a time, or to put a file in
// order that several use.
//
// It is a lock of the system on a file beside the store's, which goes with the process however that ends. The store's
// own file cannot serve for it: closing any handle of that file would take SQLite's locks away from under it.
#pragma once

#include <chrono>
#include <string>

#include "base/result.hpp"

namespace paika {

class OwnerLock {
 public:
  /// An error if another one holds it for longer than `patience`, or the machine does not let us.
  [[nodiscard]] static Result<OwnerLock> take(const std::string& database, std::chrono::milliseconds patience = {});
  OwnerLock(OwnerLock&& other) noexcept;
  OwnerLock& operator=(OwnerLock&&) = delete;
  ~OwnerLock();

 private:
  OwnerLock(std::string path, int file);

  std::string path_;
  int file_;
};

}  // namespace paika
