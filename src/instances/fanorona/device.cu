#include "games/fanorona/space.hpp"
#include "instances/fanorona/device.hpp"
#include "solve/gpu/cuda_machine.cuh"
#include "solve/gpu/typed_device.hpp"

namespace paika::fanorona {

Result<std::unique_ptr<TierDevice>> open_device(const Options& options) {
  auto machine = gpu::CudaMachine::open();
  if (!machine) return tl::unexpected(machine.error());
  const auto with = [&]<class Shape>() -> std::unique_ptr<TierDevice> {
    using Device = gpu::TypedDevice<Space<Shape>, SpaceView<Shape>, gpu::CudaMachine>;
    return std::make_unique<Device>(std::move(*machine), options);
  };
  // Sizes that are known at compile time are quicker, and 32 bits hold every board that can be numbered.
  const auto is = [&](int cols, int rows) { return options.cols == cols && options.rows == rows; };
  if (is(5, 3)) return with.template operator()<FixedShape<5, 3, std::uint32_t>>();
  if (is(7, 3)) return with.template operator()<FixedShape<7, 3, std::uint32_t>>();
  if (is(5, 5)) return with.template operator()<FixedShape<5, 5, std::uint32_t>>();
  return with.template operator()<RuntimeShape<64>>();
}

}  // namespace paika::fanorona
