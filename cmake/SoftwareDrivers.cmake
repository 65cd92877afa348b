# SPDX-License-Identifier: MIT
# The software Vulkan drivers that tests run on: lavapipe of Mesa, SwiftShader of Chromium.
# FG_SOFTWARE_DRIVERS lists those that this machine has.

find_file(FG_LAVAPIPE_ICD lvp_icd.x86_64.json lvp_icd.aarch64.json lvp_icd.json
          PATHS /usr/share/vulkan/icd.d /usr/local/share/vulkan/icd.d /etc/vulkan/icd.d)
find_file(FG_SWIFTSHADER_ICD vk_swiftshader_icd.json
          PATHS /usr/lib/chromium /usr/lib64/chromium-browser /usr/share/vulkan/icd.d /opt/google/chrome)

set(FG_SOFTWARE_DRIVERS)
foreach(driver lavapipe swiftshader)
    string(TOUPPER ${driver} upper)
    if(FG_${upper}_ICD)
        list(APPEND FG_SOFTWARE_DRIVERS ${driver})
    else()
        fgi_test_lacks("${driver}" "nothing is run on it")
    endif()
endforeach()

# Drivers want a private folder for their sockets.
set(FG_DRIVER_RUNTIME "${CMAKE_BINARY_DIR}/xdg-runtime")
file(MAKE_DIRECTORY "${FG_DRIVER_RUNTIME}")
file(CHMOD "${FG_DRIVER_RUNTIME}" PERMISSIONS OWNER_READ OWNER_WRITE OWNER_EXECUTE)

# fgi_driver_environment(out driver): the environment of a test that is to run on this driver alone.
# Drivers leak at exit and are not instrumented; tests count our own memory themselves.
function(fgi_driver_environment out driver)
    string(TOUPPER ${driver} upper)
    set(${out} "VK_ICD_FILENAMES=${FG_${upper}_ICD}" "VK_DRIVER_FILES=${FG_${upper}_ICD}" "VK_LOADER_DEBUG="
               "XDG_RUNTIME_DIR=${FG_DRIVER_RUNTIME}" "ASAN_OPTIONS=detect_leaks=0"
               "TSAN_OPTIONS=ignore_noninstrumented_modules=1" PARENT_SCOPE)
endfunction()
