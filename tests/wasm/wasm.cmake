# SPDX-License-Identifier: MIT
# The module under Node, compared with the native code byte by byte, over every golden capture that can
# be opened and over one that is recorded on the emulated device.
find_program(FG_NODE NAMES node nodejs)
get_property(wasm_file GLOBAL PROPERTY FG_WASM_FILE)
if(NOT wasm_file OR NOT FG_NODE)
    fgi_test_lacks("node or frameglass.wasm" "the WebAssembly module is not tested")
else()
    add_executable(native_answers ${CMAKE_CURRENT_LIST_DIR}/native_answers.c)
    fgi_link(native_answers wasm)
    add_executable(wasm_capture ${PROJECT_SOURCE_DIR}/tests/cli/make_capture.c
                   ${PROJECT_SOURCE_DIR}/tests/support/record_some.c)
    fgi_link(wasm_capture record gpu_software)
    target_include_directories(wasm_capture PRIVATE "${PROJECT_SOURCE_DIR}/tests/support")
    set(capture "${CMAKE_CURRENT_BINARY_DIR}/wasm_test.sgpt")
    set(large "${CMAKE_CURRENT_BINARY_DIR}/wasm_large.sgpt")
    add_test(NAME wasm_capture COMMAND wasm_capture "${capture}" 40)
    add_test(NAME wasm_capture_large COMMAND wasm_capture "${large}" 2000)
    set_tests_properties(wasm_capture wasm_capture_large PROPERTIES FIXTURES_SETUP wasm_capture LABELS wasm)
    file(GLOB golden CONFIGURE_DEPENDS "${PROJECT_SOURCE_DIR}/tests/golden/*.sgpt"
         "${PROJECT_SOURCE_DIR}/tests/golden/*.cnatrace")
    list(FILTER golden EXCLUDE REGEX "/refuse_[^/]*$")
    list(JOIN golden ":" golden)
    add_test(NAME wasm_equal COMMAND "${FG_NODE}" --test "${CMAKE_CURRENT_LIST_DIR}/equal.test.mjs")
    set_tests_properties(wasm_equal PROPERTIES FIXTURES_REQUIRED wasm_capture TIMEOUT 300 LABELS wasm ENVIRONMENT
        "FG_WASM=${wasm_file};FG_NATIVE=$<TARGET_FILE:native_answers>;FG_CAPTURES=${capture}:${golden};FG_LARGE=${large}")
endif()
