// Descriptor: an open file or socket of the system, closed at the end.
#pragma once

#include <utility>

namespace paika {

class Descriptor {
 public:
  /// Takes over what the system gave; below 0: it gave nothing.
  explicit Descriptor(int number) noexcept : number_(number) {}
  Descriptor(Descriptor&& other) noexcept : number_(other.release()) {}
  Descriptor& operator=(Descriptor&&) = delete;
  ~Descriptor();

  [[nodiscard]] int number() const noexcept { return number_; }
  [[nodiscard]] bool is_open() const noexcept { return number_ >= 0; }
  /// Somebody else closes it from now on.
  [[nodiscard]] int release() noexcept { return std::exchange(number_, -1); }

 private:
  int number_;
};

}  // namespace paika
