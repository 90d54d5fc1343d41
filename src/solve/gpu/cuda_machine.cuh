// CudaMachine: runs bodies (solve/gpu/bodies.hpp) on an NVIDIA GPU.
//
// A warp, 32 threads that go in step, takes 32 places at a time and keeps the pieces of their work on a stack of its
// own in shared memory, from which it takes 32 at a time, whoever they belong to: so its threads are busy though one
// place has forty turns and the next none. A stack that overflows goes on in global memory. The arrays of the numbering
// that are read most lie in shared memory, too, as many as fit.
#pragma once

#include <algorithm>
#include <cstdint>
#include <cuda_runtime.h>
#include <span>
#include <string>
#include <vector>

#include "base/result.hpp"
#include "solve/gpu/device_array.hpp"
#include "solve/gpu/tier_states.hpp"

namespace paika::gpu {

inline constexpr unsigned warp_size = 32;
inline constexpr unsigned all_lanes = 0xffffffffU;

/// What a warp has in shared memory.
template <class Body>
struct WarpArea {
  using Item = typename Body::Item;
  using Owner = typename Body::Owner;
  static constexpr std::size_t wanted_bytes = 4352;
  static constexpr std::size_t fixed_bytes = warp_size * sizeof(Owner) + 2 * warp_size * sizeof(std::uint64_t) + 8;
  static constexpr std::size_t stack_items =
      std::max<std::size_t>((wanted_bytes - fixed_bytes) / (sizeof(Item) + 1) / 32 * 32, 64);

  Owner owners[warp_size];
  std::uint64_t pending[2 * warp_size];  // places that wait for a batch to be full
  Item items[stack_items];
  std::uint8_t owner_of[stack_items];
  unsigned count;  // of items on the stack, those beyond it included
};

/// Where the stacks of all warps go on, and whether one was too high even for that.
struct Overflow {
  static constexpr std::uint64_t items = 16384;  // for each warp
  unsigned char* memory;
  unsigned* failed;
};

template <class Body>
struct OverflowItem {
  typename Body::Item item;
  std::uint8_t owner;
};

/// The stack of one warp.
template <class Body>
struct Stack {
  using Item = typename Body::Item;
  WarpArea<Body>& area;
  OverflowItem<Body>* beyond;
  unsigned* failed;

  __device__ void push(const Item& item, unsigned owner) const {
    const unsigned at = atomicAdd(&area.count, 1U);
    if (at < WarpArea<Body>::stack_items) {
      area.items[at] = item;
      area.owner_of[at] = static_cast<std::uint8_t>(owner);
    } else if (at - WarpArea<Body>::stack_items < Overflow::items) {
      beyond[at - WarpArea<Body>::stack_items] = {item, static_cast<std::uint8_t>(owner)};
    } else {
      *failed = 1;
    }
  }
  __device__ OverflowItem<Body> top(unsigned at) const {
    if (at < WarpArea<Body>::stack_items) return {area.items[at], area.owner_of[at]};
    return beyond[at - WarpArea<Body>::stack_items];
  }
};

/// Does the pieces that are on the stack, 32 at a time, until fewer than `leave` + 1 are left.
template <class Body>
__device__ void drain(const Body& body, const Stack<Body>& stack, unsigned lane, unsigned leave) {
  for (;;) {
    __syncwarp();
    const unsigned count = stack.area.count;
    __syncwarp();
    if (count <= leave) return;
    const unsigned base = count > warp_size ? count - warp_size : 0;
    const bool busy = base + lane < count;
    OverflowItem<Body> piece;
    if (busy) piece = stack.top(base + lane);
    if (lane == 0) stack.area.count = base;
    __syncwarp();
    if (busy) {
      body.process(stack.area.owners[piece.owner], piece.item,
                   [&](const typename Body::Item& item) { stack.push(item, piece.owner); });
    }
  }
}

/// The first `places` of those that wait.
template <class Body>
__device__ void run_batch(const Body& body, const Stack<Body>& stack, unsigned lane, unsigned places) {
  auto& area = stack.area;
  const std::uint64_t index = area.pending[lane];
  if (lane < places) body.begin(index, area.owners[lane]);
#pragma unroll 1
  for (int stage = 0; stage < Body::stages; ++stage) {
    __syncwarp();
    if (lane < places) {
      body.generate(stage, area.owners[lane], [&](const typename Body::Item& item) { stack.push(item, lane); });
    }
    drain(body, stack, lane, stage + 1 < Body::stages ? warp_size - 1 : 0);
  }
  __syncwarp();
  if (lane < places) body.finish(index, area.owners[lane]);
  __syncwarp();
}

/// Copies the space into shared memory, and its arrays as long as they fit.
template <class Space>
__device__ const Space* bring_near(const Space* from, unsigned char* memory, unsigned bytes) {
  constexpr unsigned space_bytes = (sizeof(Space) + 15) / 16 * 16;
  struct Copy {
    const std::uint32_t* from;
    std::uint32_t* to;
    unsigned words;
  };
  constexpr unsigned most = 48;
  __shared__ Copy copies[most];
  __shared__ unsigned count;
  auto* space = reinterpret_cast<Space*>(memory);
  for (unsigned i = threadIdx.x; i < sizeof(Space) / 4; i += blockDim.x) {
    reinterpret_cast<std::uint32_t*>(memory)[i] = reinterpret_cast<const std::uint32_t*>(from)[i];
  }
  __syncthreads();
  if (threadIdx.x == 0) {
    unsigned used = space_bytes;
    unsigned found = 0;
    space->for_each_array([&]<class T>(std::span<const T>& array) {
      const auto size = static_cast<unsigned>(array.size() * sizeof(T));
      if (array.size() * sizeof(T) > bytes || used + size > bytes || size % 4 != 0 || found == most) return;
      auto* to = reinterpret_cast<T*>(memory + used);
      copies[found++] = {reinterpret_cast<const std::uint32_t*>(array.data()), reinterpret_cast<std::uint32_t*>(to),
                         size / 4};
      array = std::span<const T>(to, array.size());
      used += (size + 15) / 16 * 16;
    });
    count = found;
  }
  __syncthreads();
  for (unsigned i = 0; i < count; ++i) {
    for (unsigned w = threadIdx.x; w < copies[i].words; w += blockDim.x) copies[i].to[w] = copies[i].from[w];
  }
  __syncthreads();
  return space;
}

/// One block takes a whole multiprocessor, so that the arrays lie there once: as many threads as there are registers
/// for.
template <class Body>
inline constexpr unsigned body_threads = 1024;

/// The places that a warp is to do, found 128 at a time so that several loads are under way at once.
template <class Body>
class Supply {
 public:
  __device__ Supply(const Body& body, std::uint64_t places, std::uint64_t chunk, unsigned long long* next,
                    unsigned lane)
      : body_(body), places_(places), chunk_(chunk), next_(next), lane_(lane) {}

  /// Fills `pending`, of which `count` are there, up to 32 or more while there are any. How many there are then.
  __device__ unsigned fill(std::uint64_t* pending, unsigned count) {
    while (count < warp_size && more_) {
      if (round_ == rounds) {
        look_further();
        continue;
      }
      const unsigned mask = masks_[0];
      const std::uint64_t index = at_ + round_ * warp_size + lane_;
      if ((mask >> lane_ & 1U) != 0) pending[count + __popc(mask & ((1U << lane_) - 1))] = index;
      count += __popc(mask);
#pragma unroll
      for (unsigned r = 0; r + 1 < rounds; ++r) masks_[r] = masks_[r + 1];
      ++round_;
    }
    __syncwarp();
    return count;
  }

 private:
  static constexpr unsigned rounds = 4;

  __device__ void look_further() {
    if (ahead_ >= end_) {
      unsigned long long taken = 0;
      if (lane_ == 0) taken = atomicAdd(next_, 1ULL);
      ahead_ = __shfl_sync(all_lanes, taken, 0) * chunk_;
      end_ = min(places_, ahead_ + chunk_);
      more_ = ahead_ < places_;
      if (!more_) return;
    }
    // Blocks are as long as chunks, or one is a multiple of the other.
    if ((ahead_ % TierStates::block == 0 || ahead_ % chunk_ == 0) && body_.skips(ahead_ / TierStates::block)) {
      ahead_ = (ahead_ / TierStates::block + 1) * TierStates::block;
      return;
    }
    at_ = ahead_;
    round_ = 0;
    ahead_ += rounds * warp_size;
    bool wanted[rounds];
#pragma unroll
    for (unsigned r = 0; r < rounds; ++r) {
      const std::uint64_t index = at_ + r * warp_size + lane_;
      wanted[r] = index < end_ && body_.wants(index);
    }
#pragma unroll
    for (unsigned r = 0; r < rounds; ++r) masks_[r] = __ballot_sync(all_lanes, wanted[r]);
  }

  const Body& body_;
  std::uint64_t places_;
  std::uint64_t chunk_;
  unsigned long long* next_;
  unsigned lane_;
  bool more_ = true;
  unsigned round_ = rounds;  // of those that were looked at, the first that is not used
  unsigned masks_[rounds];
  std::uint64_t at_ = 0;     // where they begin
  std::uint64_t ahead_ = 0;  // the next place to look at
  std::uint64_t end_ = 0;    // of the chunk
};

/// Every warp takes `chunk` places after `chunk` places until there are no more. `near` bytes of shared memory are for
/// the space and its arrays.
template <class Body>
__global__ void __launch_bounds__(body_threads<Body>, 1)
    run_body(Body body, std::uint64_t places, std::uint64_t chunk, unsigned long long* next, unsigned near,
             Overflow overflow) {
  extern __shared__ __align__(16) unsigned char shared[];
  body.space = bring_near(body.space, shared, near);
  const unsigned lane = threadIdx.x % warp_size;
  const unsigned warp = threadIdx.x / warp_size;
  auto& area = reinterpret_cast<WarpArea<Body>*>(shared + near)[warp];
  const std::uint64_t warp_of_all = std::uint64_t{blockIdx.x} * (blockDim.x / warp_size) + warp;
  const Stack<Body> stack{area, reinterpret_cast<OverflowItem<Body>*>(overflow.memory) + warp_of_all * Overflow::items,
                          overflow.failed};
  if (lane == 0) area.count = 0;
  __syncwarp();
  Supply<Body> supply(body, places, chunk, next, lane);
  for (unsigned pending = supply.fill(area.pending, 0); pending != 0;) {
    const unsigned now = min(pending, warp_size);
    run_batch(body, stack, lane, now);
    pending -= now;
    const std::uint64_t moved = area.pending[warp_size + lane];
    __syncwarp();
    area.pending[lane] = moved;
    __syncwarp();
    pending = supply.fill(area.pending, pending);
  }
}

template <class F>
__global__ void run_for_each(std::uint64_t count, F f) {
  const std::uint64_t step = std::uint64_t{gridDim.x} * blockDim.x;
  for (std::uint64_t i = std::uint64_t{blockIdx.x} * blockDim.x + threadIdx.x; i < count; i += step) f(i);
}

template <class F>
__global__ void run_sum(std::uint64_t count, F f, unsigned long long* sum) {
  const std::uint64_t step = std::uint64_t{gridDim.x} * blockDim.x;
  unsigned long long mine = 0;
  for (std::uint64_t i = std::uint64_t{blockIdx.x} * blockDim.x + threadIdx.x; i < count; i += step) mine += f(i);
  for (unsigned by = warp_size / 2; by != 0; by /= 2) mine += __shfl_down_sync(all_lanes, mine, by);
  if (threadIdx.x % warp_size == 0) atomicAdd(sum, mine);
}

/// Counts in shared memory what has a distance below 2048, nearly everything; the upper two bits are the kind.
template <class F>
__global__ void run_histogram(std::uint64_t count, F f, unsigned long long* counts) {
  constexpr unsigned distances = 2048;
  __shared__ unsigned near[4 * distances];
  for (unsigned i = threadIdx.x; i < 4 * distances; i += blockDim.x) near[i] = 0;
  __syncthreads();
  const std::uint64_t step = std::uint64_t{gridDim.x} * blockDim.x;
  for (std::uint64_t i = std::uint64_t{blockIdx.x} * blockDim.x + threadIdx.x; i < count; i += step) {
    const unsigned code = f(i);
    const unsigned distance = code & 0x3fffU;
    if (distance < distances) {
      atomicAdd(&near[(code >> 14) * distances + distance], 1U);
    } else {
      atomicAdd(&counts[code], 1ULL);
    }
  }
  __syncthreads();
  for (unsigned i = threadIdx.x; i < 4 * distances; i += blockDim.x) {
    if (near[i] != 0) atomicAdd(&counts[i / distances << 14 | i % distances], static_cast<unsigned long long>(near[i]));
  }
}

/// The first GPU of this machine. Not copied: it is held by the one TypedDevice that works on it.
class CudaMachine {
 public:
  /// For work that overflows its stacks, and for its program.
  static constexpr std::uint64_t set_aside = std::uint64_t{2} << 30;

  /// An error if there is none that can be used, which says what is missing.
  [[nodiscard]] static Result<CudaMachine> open() {
    int devices = 0;
    if (const cudaError_t error = cudaGetDeviceCount(&devices); error != cudaSuccess || devices == 0) {
      return fail("no NVIDIA GPU can be used here: {}",
                  error == cudaSuccess ? "the driver sees none" : cudaGetErrorString(error));
    }
    cudaDeviceProp properties{};
    if (const cudaError_t error = cudaGetDeviceProperties(&properties, 0); error != cudaSuccess) {
      return fail("the GPU cannot be asked what it is: {}", cudaGetErrorString(error));
    }
    if (properties.major < 9) {
      return fail("{} has compute capability {}.{}; this program was built for 9.0 and later", properties.name,
                  properties.major, properties.minor);
    }
    return CudaMachine(properties);
  }

  [[nodiscard]] std::string name() const { return name_; }
  [[nodiscard]] std::uint64_t free_memory() const {
    std::size_t free = 0;
    std::size_t total = 0;
    return cudaMemGetInfo(&free, &total) == cudaSuccess ? free : 0;
  }
  [[nodiscard]] Result<void> status() const {
    if (error_.empty()) return {};
    return fail("the GPU failed: {}", error_);
  }

  template <class T>
  [[nodiscard]] DeviceArray<T> allocate(std::uint64_t size) {
    if (!error_.empty()) return {};
    void* at = nullptr;
    const std::uint64_t bytes = std::max<std::uint64_t>(size * sizeof(T), 16);
    if (const cudaError_t error = cudaMalloc(&at, bytes); error != cudaSuccess) {
      error_ = fmt::format("{} bytes of its memory could not be had: {}", bytes, cudaGetErrorString(error));
      return {};
    }
    note(cudaMemset(at, 0, bytes), "clearing memory");
    return {at, size, [](void* memory) { static_cast<void>(cudaFree(memory)); }};
  }
  template <class T>
  void upload(T* to, std::span<const T> from) {
    if (error_.empty()) note(cudaMemcpy(to, from.data(), from.size_bytes(), cudaMemcpyHostToDevice), "copying to it");
  }
  template <class T>
  void download(std::span<T> to, const T* from) {
    if (error_.empty()) note(cudaMemcpy(to.data(), from, to.size_bytes(), cudaMemcpyDeviceToHost), "copying from it");
  }
  template <class T>
  void clear(T* at, std::uint64_t size) {
    if (error_.empty()) note(cudaMemset(at, 0, size * sizeof(T)), "clearing memory");
  }

  template <class Body>
  void run(const Body& body, std::uint64_t places) {
    constexpr unsigned threads = body_threads<Body>;
    constexpr unsigned warps = threads / warp_size;
    constexpr auto areas = static_cast<unsigned>(warps * sizeof(WarpArea<Body>));
    prepare(warps * sizeof(OverflowItem<Body>) * Overflow::items);
    if (!error_.empty()) return;
    const unsigned near = (shared_bytes_ - areas - reserved_) / 16 * 16;
    note(cudaFuncSetAttribute(run_body<Body>, cudaFuncAttributeMaxDynamicSharedMemorySize,
                              static_cast<int>(near + areas)),
         "asking for shared memory");
    clear(next_.data(), 1);
    // Small enough to be shared out evenly, large enough not to ask too often.
    std::uint64_t chunk = 128;
    while (chunk < 65536 && chunk * warps * processors_ * 64 < places) chunk *= 2;
    if (!error_.empty()) return;
    run_body<Body><<<processors_, threads, near + areas>>>(body, places, chunk, next_.data(), near,
                                                           Overflow{overflow_.data(), failed_.data()});
    finish("solving");
    unsigned failed = 0;
    download(std::span<unsigned>(&failed, 1), static_cast<const unsigned*>(failed_.data()));
    if (failed != 0 && error_.empty()) error_ = "a position has more turns than there is room for";
  }
  template <class F>
  void for_each(std::uint64_t count, const F& f) {
    if (!error_.empty() || count == 0) return;
    run_for_each<<<grid(count), block_threads>>>(count, f);
    finish("a pass over a tier");
  }
  template <class F>
  [[nodiscard]] std::uint64_t sum(std::uint64_t count, const F& f) {
    const auto there = allocate<unsigned long long>(1);
    unsigned long long sum = 0;
    if (error_.empty()) run_sum<<<grid(count), block_threads>>>(count, f, there.data());
    finish("a sum");
    download(std::span<unsigned long long>(&sum, 1), static_cast<const unsigned long long*>(there.data()));
    return sum;
  }
  template <class F>
  [[nodiscard]] std::vector<std::uint64_t> histogram(std::uint64_t count, const F& f) {
    const auto there = allocate<unsigned long long>(std::size_t{1} << 16);
    std::vector<unsigned long long> counts(std::size_t{1} << 16);
    if (error_.empty()) run_histogram<<<grid(count), block_threads>>>(count, f, there.data());
    finish("counting");
    download(std::span<unsigned long long>(counts), static_cast<const unsigned long long*>(there.data()));
    return {counts.begin(), counts.end()};
  }

 private:
  static constexpr unsigned block_threads = 512;
  static constexpr unsigned reserved_ = 2048;  // of shared memory: what kernels declare themselves, and the system's

  explicit CudaMachine(const cudaDeviceProp& properties)
      : name_(properties.name),
        processors_(static_cast<unsigned>(properties.multiProcessorCount)),
        shared_bytes_(static_cast<unsigned>(properties.sharedMemPerBlockOptin)) {}

  [[nodiscard]] unsigned grid(std::uint64_t count) const {
    return static_cast<unsigned>(
        std::clamp<std::uint64_t>((count + block_threads - 1) / block_threads, 1, std::uint64_t{processors_} * 8));
  }
  void prepare(std::uint64_t overflow_bytes_each) {
    if (next_.size() == 0) next_ = allocate<unsigned long long>(1);
    if (failed_.size() == 0) failed_ = allocate<unsigned>(1);
    const std::uint64_t bytes = overflow_bytes_each * processors_;
    if (overflow_.size() >= bytes) return;
    overflow_.reset();
    overflow_ = allocate<unsigned char>(bytes);
  }
  void note(cudaError_t error, const char* what) {
    if (error != cudaSuccess && error_.empty()) error_ = fmt::format("{}: {}", what, cudaGetErrorString(error));
  }
  /// Waits for what was started.
  void finish(const char* what) {
    if (!error_.empty()) return;
    note(cudaGetLastError(), what);
    note(cudaDeviceSynchronize(), what);
  }

  std::string name_;
  unsigned processors_;
  unsigned shared_bytes_;
  std::string error_;
  DeviceArray<unsigned long long> next_;  // the next chunk of places
  DeviceArray<unsigned> failed_;
  DeviceArray<unsigned char> overflow_;
};

}  // namespace paika::gpu
