// Compiled instead of device.cu where there is no CUDA.
#include "solve/gpu/no_device.hpp"

#include "instances/abalone/device.hpp"

namespace paika::abalone {

Result<std::unique_ptr<TierDevice>> open_device(const Options& /*options*/) { return gpu::built_without(); }

}  // namespace paika::abalone
