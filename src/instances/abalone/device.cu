#include "games/abalone/space.hpp"
#include "instances/abalone/device.hpp"
#include "solve/gpu/cuda_machine.cuh"
#include "solve/gpu/typed_device.hpp"

namespace paika::abalone {

Result<std::unique_ptr<TierDevice>> open_device(const Options& options) {
  auto machine = gpu::CudaMachine::open();
  if (!machine) return tl::unexpected(machine.error());
  const auto with = [&]<class Shape>(const BitboardRules<Shape>& rules) -> std::unique_ptr<TierDevice> {
    using Device = gpu::TypedDevice<Space<Shape>, SpaceView<Shape>, gpu::CudaMachine>;
    return std::make_unique<Device>(std::move(*machine), rules);
  };
  // Sizes that are known at compile time are quicker, and 32 bits hold every board that can be numbered.
  const auto is = [&](int cols, int rows) { return options.cols == cols && options.rows == rows; };
  if (is(4, 4)) return with(BitboardRules<FixedShape<4, 4, std::uint32_t>>(options));
  if (is(5, 4)) return with(BitboardRules<FixedShape<5, 4, std::uint32_t>>(options));
  if (is(5, 5)) return with(BitboardRules<FixedShape<5, 5, std::uint32_t>>(options));
  return with(BitboardRules<RuntimeShape<64>>(options));
}

}  // namespace paika::abalone
