// Boost's own code, compiled here and nowhere else: all other files of this folder only see its declarations.
#include <boost/asio/impl/src.hpp>
#include <boost/beast/src.hpp>
