#include "base/descriptor.hpp"

#include <unistd.h>

namespace paika {

Descriptor::~Descriptor() {
  if (number_ >= 0) ::close(number_);
}

}  // namespace paika
