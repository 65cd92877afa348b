/* SPDX-License-Identifier: MIT */
/* Every function of u64.glsl on pairs of numbers: 16 results of 16 bytes for each, in this order. */
#version 460
#extension GL_GOOGLE_include_directive : require
#include "../../../src/engine/vulkan/kernels/prelude.glsl"

/* struct u64_push of u64_check.c */
layout(push_constant, std430) uniform fg_args {
    fg_column source; /* two numbers: four words */
    fg_column target;
    uint count;
} args;

uvec4 two(u64 a, u64 b) { return uvec4(u64_words(a), u64_words(b)); }

void main()
{
    uint at = fg_invocation_index();
    if (at >= args.count) {
        return;
    }
    uvec4 words = fg_quad_at(args.source, at);
    u64 a = u64_of(words.xy);
    u64 b = u64_of(words.zw);
    uint bits = words.z & 63u;
    uint out_at = at * 16u;
    u128 product = u128_product(a, b);
    fg_quad_put(args.target, out_at, two(u64_add(a, b), u64_sub(a, b)));
    fg_quad_put(args.target, out_at + 1u, two(u64_shift_left(a, bits), u64_shift_right(a, bits)));
    fg_quad_put(args.target, out_at + 2u, two(u64_shift_right_signed(a, bits), u64_multiply(a, b)));
    fg_quad_put(args.target, out_at + 3u, product);
    fg_quad_put(args.target, out_at + 4u, two(u64_min(a, b), u64_max(a, b)));
    fg_quad_put(args.target, out_at + 5u, two(u64_min_signed(a, b), u64_max_signed(a, b)));
    fg_quad_put(args.target, out_at + 6u, two(u64_add_saturated(a, b), u64_sub_saturated(a, b)));
    fg_quad_put(args.target, out_at + 7u, uvec4(u64_less(a, b), u64_less_signed(a, b), u64_equal(a, b),
                                                u128_less(product, words)));
    fg_quad_put(args.target, out_at + 8u, u128_add(product, words));
    fg_quad_put(args.target, out_at + 9u, u128_sub(u128_add(words, product), product));
    fg_quad_put(args.target, out_at + 10u, two(u64_and(a, b), u64_or(a, b)));
    fg_quad_put(args.target, out_at + 11u, two(u64_xor(a, b), u64_flip_sign(a)));
    fg_quad_put(args.target, out_at + 12u, two(u64_product(words.x, words.z), u64_from(words.x)));
    fg_quad_put(args.target, out_at + 13u, uvec4(u64_low(a), u64_high(a), u64_low(b), u64_high(b)));
    fg_quad_put(args.target, out_at + 14u, u128_from(a));
    fg_quad_put(args.target, out_at + 15u, two(u64_make(words.w, words.x), u64_all()));
}
