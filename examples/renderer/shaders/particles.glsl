/* SPDX-License-Identifier: MIT */
struct Particle {
    vec4 position; /* xyz, w brightness */
    vec4 velocity; /* xyz, w seed */
};
