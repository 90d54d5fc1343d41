// ArrayStore: holds arrays for objects that only point to them.
//
// An object whose arrays lie elsewhere can be copied byte by byte, also to another memory, where its arrays are then
// copied after it (solve/gpu/machine.hpp). So what a GPU works with refers to its arrays by spans, and whoever makes it
// holds a store.
#pragma once

#include <memory>
#include <span>
#include <utility>
#include <vector>

namespace paika {

class ArrayStore {
 public:
  /// Keeps the elements where they are as long as the store, or a copy of it, lives.
  template <class T>
  [[nodiscard]] std::span<const T> keep(std::vector<T> elements) {
    auto kept = std::make_shared<const std::vector<T>>(std::move(elements));
    const std::span<const T> where(*kept);
    arrays_.push_back(std::move(kept));
    return where;
  }

 private:
  std::vector<std::shared_ptr<const void>> arrays_;
};

}  // namespace paika
