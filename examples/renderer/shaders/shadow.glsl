/* SPDX-License-Identifier: MIT */
/* Looking up the sun's shadow. The including shader declares `shadow_atlas`, a sampler2DArrayShadow. */

int cascade_of(float distance_m)
{
    int cascade = 0;
    for (int i = 0; i < 3; i++) {
        cascade += distance_m > frame.cascade_far[i] ? 1 : 0;
    }
    return cascade;
}

float shadow_tap(int cascade, vec3 p)
{
    vec4 q = frame.cascade_view_proj[cascade] * vec4(p, 1.0);
    vec2 uv = q.xy * 0.5 + 0.5;
    return texture(shadow_atlas, vec4(uv, float(cascade), q.z + 0.0006));
}

float sun_visibility(vec3 p, vec3 n, float distance_m, float random)
{
    int cascade = cascade_of(distance_m);
    float texel = frame.cascade_texel[cascade];
    vec3 side = normalize(cross(frame.sun.xyz, vec3(0.3, 1.0, 0.2)));
    vec3 other = cross(frame.sun.xyz, side);
    vec3 at = p + n * texel * 1.6;
    float radius = max(texel * 1.5, 0.035);
    float sum = 0.0;
    uint taps = frame.effort.w;
    for (uint i = 0u; i < taps; i++) {
        float angle = (float(i) + random) * 2.399963;
        float r = sqrt((float(i) + 0.5) / float(taps)) * radius;
        sum += shadow_tap(cascade, at + (side * cos(angle) + other * sin(angle)) * r);
    }
    return sum / float(taps);
}
