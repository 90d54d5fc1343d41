#include "engine/table_checksum.hpp"

#include <fmt/format.h>

#include "solve/table_bytes.hpp"
#include "solve/table_format.hpp"

namespace paika {

std::string file_checksum(const ValueTable& table) {
  ByteSink sink;
  for (const TableSection& tier : table.tiers()) sink.put(section_checksum(tier.bytes()));
  return fmt::format("{:016x}", checksum64(sink.bytes()));
}

}  // namespace paika
