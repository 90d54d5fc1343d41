// The fuzz targets of the protocols: what peers and programs send.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace paika::fuzz {

/// The class protocol of Fanorona: any bytes in any packets; nothing is lost, nothing grows, silence changes little.
void run_class_protocol(std::string_view bytes);
[[nodiscard]] std::vector<std::string> class_protocol_seeds();

/// A board that a Wildebeest program wrote: what is accepted is a legal turn.
void run_written_board(std::string_view bytes);
[[nodiscard]] std::vector<std::string> written_board_seeds();

}  // namespace paika::fuzz
