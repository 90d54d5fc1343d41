// The fuzz targets of the play layer: records of games and the engine protocols.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace paika::fuzz {

/// Records: what is accepted is written and read back as the same.
void run_game_record(std::string_view bytes);
[[nodiscard]] std::vector<std::string> game_record_seeds();

/// Conversations: any bytes as lines of input; every answer is one printable line.
void run_ugi(std::string_view bytes);
[[nodiscard]] std::vector<std::string> ugi_seeds();
void run_gtp(std::string_view bytes);
[[nodiscard]] std::vector<std::string> gtp_seeds();
void run_nboard(std::string_view bytes);
[[nodiscard]] std::vector<std::string> nboard_seeds();

/// Settings of engines and texts of players.
void run_settings(std::string_view bytes);
[[nodiscard]] std::vector<std::string> settings_seeds();

/// Demonstrations: any bytes as a file.
void run_demo(std::string_view bytes);
[[nodiscard]] std::vector<std::string> demo_seeds();

/// Lists of openings: any bytes as a file.
void run_opening_list(std::string_view bytes);
[[nodiscard]] std::vector<std::string> opening_list_seeds();

}  // namespace paika::fuzz
