// Semaphores on a machine with one thread, where nobody waits for another: declared, and never called.
#pragma once

#include <cstdlib>
#include <ctime>

struct sem_t {};
inline int sem_init(sem_t* /*semaphore*/, int /*shared*/, unsigned /*value*/) { return 0; }
inline int sem_destroy(sem_t* /*semaphore*/) { return 0; }
inline int sem_post(sem_t* /*semaphore*/) { return 0; }
inline int sem_clockwait(sem_t* /*semaphore*/, clockid_t /*clock*/, const timespec* /*until*/) { std::abort(); }
