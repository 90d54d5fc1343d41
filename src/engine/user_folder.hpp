// Where a user's data lies if nobody says otherwise: tables of perfect play, the server's games.
#pragma once

#include <string>
#include <string_view>

namespace paika {

/// The folder `name` for data of this program, by the XDG rules; beside the current folder as "paika-NAME" if the user
/// has no home.
[[nodiscard]] std::string user_data_folder(std::string_view name);

}  // namespace paika
