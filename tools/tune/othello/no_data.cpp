// The tuning programs read weights from files they are given: nothing is built in.
#include "base/data.hpp"

namespace paika {

std::string_view data_file(std::string_view /*name*/) noexcept { return {}; }

}  // namespace paika
