// Peers over MPI. Only the program paika-mpi has this file.
#include <algorithm>
#include <cstdlib>
#include <exception>
#include <mpi.h>
#include <numeric>

#include "apps/peers.hpp"

namespace paika::apps {

namespace {

static_assert(sizeof(Message) == sizeof(std::uint64_t), "news travels as plain 64-bit numbers");

class MpiPeers final : public Peers {
 public:
  MpiPeers() {
    MPI_Init(nullptr, nullptr);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank_);
    MPI_Comm_size(MPI_COMM_WORLD, &count_);
  }
  /// Waits for the others, unless this one is leaving them by an exception.
  ~MpiPeers() override {
    if (std::uncaught_exceptions() > 0) MPI_Abort(MPI_COMM_WORLD, 2);
    MPI_Finalize();
  }

  [[nodiscard]] int rank() const override { return rank_; }
  [[nodiscard]] int count() const override { return count_; }

  [[nodiscard]] std::vector<Message> exchange(std::vector<std::vector<Message>>& boxes) override {
    std::vector<int> sent;
    std::vector<Message> out;
    for (std::vector<Message>& box : boxes) {
      sent.push_back(static_cast<int>(box.size()));
      out.insert(out.end(), box.begin(), box.end());
      box.clear();
    }
    std::vector<int> received(boxes.size());
    MPI_Alltoall(sent.data(), 1, MPI_INT, received.data(), 1, MPI_INT, MPI_COMM_WORLD);
    const std::vector<int> sent_from = offsets(sent);
    const std::vector<int> received_to = offsets(received);
    std::vector<Message> in(static_cast<std::size_t>(std::accumulate(received.begin(), received.end(), 0)));
    MPI_Alltoallv(out.data(), sent.data(), sent_from.data(), MPI_UINT64_T, in.data(), received.data(),
                  received_to.data(), MPI_UINT64_T, MPI_COMM_WORLD);
    return in;
  }

  [[nodiscard]] std::int64_t greatest(std::int64_t mine) override {
    std::int64_t most = 0;
    MPI_Allreduce(&mine, &most, 1, MPI_INT64_T, MPI_MAX, MPI_COMM_WORLD);
    return most;
  }

  void combine(std::span<unsigned char> bytes) override {
    MPI_Allreduce(MPI_IN_PLACE, bytes.data(), static_cast<int>(bytes.size()), MPI_UNSIGNED_CHAR, MPI_MAX,
                  MPI_COMM_WORLD);
  }

  void hand_over(int from, std::span<std::uint16_t> codes) override {
    const int size = static_cast<int>(codes.size());
    if (rank_ == from) MPI_Send(codes.data(), size, MPI_UINT16_T, 0, 0, MPI_COMM_WORLD);
    if (rank_ == 0) MPI_Recv(codes.data(), size, MPI_UINT16_T, from, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  }

  void broadcast(int from, std::string& text) override {
    auto size = static_cast<std::uint64_t>(text.size());
    MPI_Bcast(&size, 1, MPI_UINT64_T, from, MPI_COMM_WORLD);
    text.resize(size);
    MPI_Bcast(text.data(), static_cast<int>(size), MPI_CHAR, from, MPI_COMM_WORLD);
  }

  [[noreturn]] void abandon(int status) override {
    MPI_Abort(MPI_COMM_WORLD, status);
    std::abort();  // MPI_Abort does not return
  }

 private:
  [[nodiscard]] static std::vector<int> offsets(const std::vector<int>& counts) {
    std::vector<int> starts(counts.size());
    std::exclusive_scan(counts.begin(), counts.end(), starts.begin(), 0);
    return starts;
  }

  int rank_ = 0;
  int count_ = 1;
};

}  // namespace

void remember_command_line(char** /*argv*/) {}

Result<std::unique_ptr<Peers>> join_peers() { return std::make_unique<MpiPeers>(); }

}  // namespace paika::apps
