// Fuzz targets of what others hand in: bots as JSON, orders and verdicts of workers, packed folders, translations.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace paika::fuzz {

/// The files of a bot as JSON: what is taken reads back as it was written and fits into an archive.
void run_upload(std::string_view bytes);
[[nodiscard]] std::vector<std::string> upload_seeds();

/// A bot that a worker is to build, or its verdict: what is read can be written and read again.
void run_bot_order(std::string_view bytes);
[[nodiscard]] std::vector<std::string> bot_order_seeds();

/// A packed folder: what unpacks packs again and stays in its folder; of what does not nothing is left.
void run_folder_pack(std::string_view bytes);
[[nodiscard]] std::vector<std::string> folder_pack_seeds();

/// A .po file: what is read can be said, and reads back as it was written; errors name their line.
void run_translation(std::string_view bytes);
[[nodiscard]] std::vector<std::string> translation_seeds();

}  // namespace paika::fuzz
