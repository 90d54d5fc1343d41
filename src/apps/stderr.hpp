// Words on stderr. What cannot be written there is lost: there is nowhere left to say so.
#pragma once

#include <cstdio>
#include <string_view>

namespace paika::apps {

inline void to_stderr(std::string_view text) { static_cast<void>(std::fwrite(text.data(), 1, text.size(), stderr)); }

}  // namespace paika::apps
