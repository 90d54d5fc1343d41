// Compiled instead of device.cu where there is no CUDA.
#include "instances/fanorona/device.hpp"
#include "solve/gpu/no_device.hpp"

namespace paika::fanorona {

Result<std::unique_ptr<TierDevice>> open_device(const Options& /*options*/) { return gpu::built_without(); }

}  // namespace paika::fanorona
