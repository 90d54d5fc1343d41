#include "games/fanorona/space.hpp"
#include "instances/fanorona/device.hpp"
#include "solve/gpu/cuda_machine.cuh"
#include "solve/gpu/typed_device.hpp"

namespace paika::fanorona {

namespace {

/// The positions of few stones.
std::unique_ptr<TierDevice> endgame_device(gpu::CudaMachine machine, const Options& options, int stones) {
  const auto with = [&]<class Shape>() -> std::unique_ptr<TierDevice> {
    using Device = gpu::TypedDevice<Endgames<Shape>, SpaceView<Shape, SparsePairs>, gpu::CudaMachine>;
    return std::make_unique<Device>(std::move(machine), options, stones);
  };
  if (options.cols == 9 && options.rows == 5) return with.template operator()<FixedShape<9, 5>>();
  return with.template operator()<RuntimeShape<64>>();
}

}  // namespace

Result<std::unique_ptr<TierDevice>> open_device(const Options& options, int stones) {
  auto machine = gpu::CudaMachine::open();
  if (!machine) return tl::unexpected(machine.error());
  if (stones != 0) return endgame_device(std::move(*machine), options, stones);
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
