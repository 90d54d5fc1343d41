// Compiled instead of device.cu where there is no CUDA.
#include "solve/gpu/no_device.hpp"

#include "instances/fanorona/device.hpp"

namespace paika::fanorona {

Result<std::unique_ptr<TierDevice>> open_device(const Options& /*options*/, int /*stones*/) {
  return gpu::built_without();
}

}  // namespace paika::fanorona
