#include "server/http/site.hpp"

#include "server/http/target.hpp"

namespace paika::server {

std::string_view Request::cookie(std::string_view name) const { return cookie_value(header("cookie"), name); }

}  // namespace paika::server
