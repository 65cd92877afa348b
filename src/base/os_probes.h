/* SPDX-License-Identifier: MIT */
/*
 * Probes that tracers of the system can hang on to while the program runs: one no-op each, and a
 * note in the binary. Nothing where there is no <sys/sdt.h>.
 *
 *     bpftrace -e 'usdt:./program:frameglass:gpu_pass_begin { printf("%s\n", str(arg0)); }'
 */
#ifndef FGI_OS_PROBES_H
#define FGI_OS_PROBES_H

#if defined(__has_include)
#if __has_include(<sys/sdt.h>)
#include <sys/sdt.h>
#define FGI_PROBE(name, argument) DTRACE_PROBE1(frameglass, name, argument)
#endif
#endif
#ifndef FGI_PROBE
#define FGI_PROBE(name, argument) ((void)(argument))
#endif

#endif
