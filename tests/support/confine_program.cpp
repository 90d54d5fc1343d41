// Which program confines bots in these tests: they have no `confine` themselves.
#include <cstdlib>

namespace {

const bool named = setenv("PAIKA_CONFINE", PAIKA_PROGRAM, 0) == 0;

}  // namespace
