# SPDX-License-Identifier: MIT
# What an outside project gets: three static archives, the public headers, a CMake package, and
# pkg-config files. The archives hold only what their name says; what they need is said in both
# descriptions.
include(CMakePackageConfigHelpers)

set(FG_INSTALL_CMAKE "${CMAKE_INSTALL_LIBDIR}/cmake/frameglass")

# fgi_archive(name MODULES module... [LINK library...] [HEADERS file...])
# The archive libframeglass_<name>.a of those modules; frameglass::<name>.
function(fgi_archive name)
    cmake_parse_arguments(A "" "" "MODULES;LINK;HEADERS" ${ARGN})
    set(objects)
    foreach(module ${A_MODULES})
        list(APPEND objects $<TARGET_OBJECTS:fg_${module}>)
    endforeach()
    add_library(frameglass_${name} STATIC ${objects})
    add_library(frameglass::${name} ALIAS frameglass_${name})
    set_target_properties(frameglass_${name} PROPERTIES EXPORT_NAME ${name} LINKER_LANGUAGE C)
    list(TRANSFORM A_HEADERS PREPEND "${PROJECT_SOURCE_DIR}/include/frameglass/")
    target_sources(frameglass_${name} PUBLIC FILE_SET HEADERS
                   BASE_DIRS "${PROJECT_SOURCE_DIR}/include" FILES ${A_HEADERS})
    target_link_libraries(frameglass_${name} PUBLIC ${A_LINK})
    install(TARGETS frameglass_${name} EXPORT frameglass
            ARCHIVE DESTINATION "${CMAKE_INSTALL_LIBDIR}"
            FILE_SET HEADERS DESTINATION "${CMAKE_INSTALL_INCLUDEDIR}")
endfunction()

# pkg-config files find their own prefix, so that an installed tree can be moved. What follows the four
# arguments are compiler flags.
function(fgi_pkg_config name description requires libs)
    list(JOIN ARGN " " FG_PC_CFLAGS)
    file(RELATIVE_PATH FG_PC_PREFIX "/prefix/${CMAKE_INSTALL_LIBDIR}/pkgconfig" "/prefix")
    set(FG_PC_NAME ${name})
    set(FG_PC_DESCRIPTION "${description}")
    set(FG_PC_REQUIRES "${requires}")
    set(FG_PC_LIBS "${libs}")
    configure_file("${PROJECT_SOURCE_DIR}/cmake/frameglass.pc.in"
                   "${PROJECT_BINARY_DIR}/frameglass-${name}.pc" @ONLY)
    install(FILES "${PROJECT_BINARY_DIR}/frameglass-${name}.pc"
            DESTINATION "${CMAKE_INSTALL_LIBDIR}/pkgconfig")
endfunction()

fgi_archive(core
    MODULES base capture
    LINK Threads::Threads m
    HEADERS base.h capture.h capture_cnatrace.h capture_converted.h capture_copy.h capture_events.h capture_frames.h capture_graph.h
            capture_records.h capture_writer.h)
if(TARGET fg_gpu_vulkan)
    set(vulkan_module gpu_vulkan)
    set(vulkan_header gpu_vulkan.h)
endif()
if(TARGET fg_gpu_opengl)
    set(opengl_module gpu_opengl gpu_draws gpu_commands)
    set(opengl_header gpu_opengl.h command_list.h draw_counter.h renderdoc.h)
endif()
if(TARGET fg_hud)
    set(hud_modules hud hud_opengl overdraw_opengl)
    set(hud_headers hud.h hud_draw.h hud_opengl.h overdraw.h overdraw_opengl.h)
endif()
if(TARGET fg_hud_vulkan)
    list(APPEND hud_modules hud_vulkan overdraw_vulkan)
    list(APPEND hud_headers hud_vulkan.h overdraw_vulkan.h)
endif()
fgi_archive(record
    MODULES record gpu_software ${vulkan_module} ${opengl_module} ${hud_modules}
    LINK frameglass_core
    HEADERS detail.h diagnostics.h flight.h gpu.h gpu_software.h ${vulkan_header} ${opengl_header} graph.h ${hud_headers}
            instrument.h instrument_hot.h
            instrument_macros.h object.h session.h timing.h)
fgi_pkg_config(core "Frameglass: captures of GPU frames" "" "-lframeglass_core -pthread -lm")
fgi_pkg_config(record "Frameglass: record what a GPU frame does" "frameglass-core"
               "-lframeglass_record" "-DFG_LEVEL=${FG_LEVEL}")
if(NOT FG_RECORDER_ONLY)
    if(TARGET fg_compute)
        set(compute_module compute)
        set(compute_headers compute.h compute_graph.h compute_plan.h compute_runner.h)
    endif()
    if(TARGET fg_engine_vulkan)
        list(APPEND compute_module primitives gpu_trace engine_vulkan)
        list(APPEND compute_headers compute_choice.h gpu_trace.h gpu_trace_links.h gpu_trace_numbers.h gpu_trace_pick.h
            gpu_trace_views.h)
    endif()
    fgi_archive(trace
        MODULES trace engine_cpu ${compute_module} convert open view
        LINK frameglass_core ZLIB::ZLIB zstd
        HEADERS ${compute_headers} open.h trace.h trace_aggregate.h trace_anomaly.h trace_compare.h trace_engine.h trace_events.h trace_find.h trace_links.h trace_minimap.h trace_path.h
                trace_query.h trace_span.h trace_state.h trace_task.h
                trace_structure.h)
    fgi_pkg_config(trace "Frameglass: load captures and ask questions about them" "frameglass-core zlib"
                   "-lframeglass_trace -lzstd")
endif()

configure_package_config_file("${PROJECT_SOURCE_DIR}/cmake/frameglass-config.cmake.in"
                              "${PROJECT_BINARY_DIR}/frameglass-config.cmake"
                              INSTALL_DESTINATION "${FG_INSTALL_CMAKE}")
write_basic_package_version_file("${PROJECT_BINARY_DIR}/frameglass-config-version.cmake"
                                 COMPATIBILITY SameMinorVersion)
install(EXPORT frameglass NAMESPACE frameglass:: FILE frameglass-targets.cmake
        DESTINATION "${FG_INSTALL_CMAKE}")
install(FILES "${PROJECT_BINARY_DIR}/frameglass-config.cmake"
              "${PROJECT_BINARY_DIR}/frameglass-config-version.cmake"
        DESTINATION "${FG_INSTALL_CMAKE}")
if(TARGET frameglass)
    install(TARGETS frameglass RUNTIME DESTINATION "${CMAKE_INSTALL_BINDIR}")
endif()
install(FILES "${PROJECT_SOURCE_DIR}/LICENSE" "${PROJECT_SOURCE_DIR}/NOTICE.md"
        DESTINATION "${CMAKE_INSTALL_DOCDIR}" OPTIONAL)
