# GPUs: docs/decisions/0013-solving-on-a-gpu.md. The few sources for them are compiled by nvcc, where it is found; where
# it is not, another source says at run time that the program was built without. Nothing else of the build knows of CUDA.
option(PAIKA_CUDA "Solve on NVIDIA GPUs, if nvcc is found" ON)
set(PAIKA_CUDA_ARCH sm_90 CACHE STRING "Which GPUs: an argument of nvcc's -arch")

if(PAIKA_CUDA)
  find_package(CUDAToolkit 12.4 QUIET)
endif()
if(PAIKA_CUDA AND CUDAToolkit_FOUND AND CUDAToolkit_NVCC_EXECUTABLE)
  set(paika_has_cuda TRUE)
  message(STATUS "Solving on GPUs: ${CUDAToolkit_NVCC_EXECUTABLE} ${CUDAToolkit_VERSION}")
else()
  set(paika_has_cuda FALSE)
  message(STATUS "Solving on GPUs: no, nvcc was not found or PAIKA_CUDA is off")
endif()

# paika_device_source(TARGET FOLDER): compiles FOLDER/device.cu into TARGET, or leaves FOLDER/no_device.cpp in it.
function(paika_device_source target folder)
  if(NOT paika_has_cuda)
    return()
  endif()
  get_target_property(sources ${target} SOURCES)
  list(FILTER sources EXCLUDE REGEX "/no_device\\.cpp$")
  set_target_properties(${target} PROPERTIES SOURCES "${sources}")
  set(source ${CMAKE_CURRENT_SOURCE_DIR}/${folder}/device.cu)
  set(object ${CMAKE_CURRENT_BINARY_DIR}/${folder}/device.o)
  file(MAKE_DIRECTORY ${CMAKE_CURRENT_BINARY_DIR}/${folder})
  # nvcc does not escape blanks in the depfile's target.
  string(REPLACE " " "\\ " object_in_depfile ${object})
  # fmt knows constexpr under nvcc only if it is told; the host's instruction set must be that of all other sources.
  add_custom_command(OUTPUT ${object}
    COMMAND ${CUDAToolkit_NVCC_EXECUTABLE} -std=c++20 -O3 -arch=${PAIKA_CUDA_ARCH} --expt-relaxed-constexpr
      -DFMT_USE_CONSTEXPR=1 -ccbin ${CMAKE_CXX_COMPILER} -Xcompiler=-fPIC $<$<BOOL:${paika_march}>:-Xcompiler=${paika_march}> -I ${CMAKE_CURRENT_SOURCE_DIR}
      -MD -MF ${object}.d -MT ${object_in_depfile} -c ${source} -o ${object}
    DEPENDS ${source}
    DEPFILE ${object}.d
    COMMENT "Compiling ${folder}/device.cu for ${PAIKA_CUDA_ARCH}"
    COMMAND_EXPAND_LISTS VERBATIM)
  target_sources(${target} PRIVATE ${object})
  target_link_libraries(${target} PUBLIC CUDA::cudart_static)
endfunction()
