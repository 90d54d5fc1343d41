// What a program that was built without CUDA answers when it is asked for a GPU.
#pragma once

#include "base/result.hpp"

namespace paika::gpu {

[[nodiscard]] inline tl::unexpected<Error> built_without() {
  return fail("this program was built without CUDA, which solving on a GPU needs: build it where nvcc is");
}

}  // namespace paika::gpu
