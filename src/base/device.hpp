// PAIKA_HD: marks functions that run on the host and, where a compiler for one is at hand, on a GPU.
//
// Rules and the numbering of positions are written once. A compiler for GPUs needs to be told which functions it has to
// translate for the device, too; for every other one the mark is nothing. What is constexpr needs no mark.
#pragma once

#if defined(__CUDACC__)
#define PAIKA_HD __host__ __device__
#else
#define PAIKA_HD
#endif
