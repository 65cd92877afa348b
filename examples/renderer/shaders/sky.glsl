/* SPDX-License-Identifier: MIT */
/* Evening sky: a gradient that warms towards the sun, thin clouds, hills at the horizon. */

vec3 sky_gradient(vec3 direction)
{
    float up = max(direction.y, 0.0);
    float toward = max(dot(direction, frame.sun.xyz), 0.0);
    vec3 zenith = vec3(0.10, 0.21, 0.47);
    vec3 middle = vec3(0.34, 0.46, 0.66);
    vec3 horizon = mix(vec3(0.62, 0.56, 0.55), vec3(1.35, 0.80, 0.42), pow(toward, 3.0));
    vec3 color = mix(horizon, middle, smoothstep(0.0, 0.22, up));
    color = mix(color, zenith, smoothstep(0.12, 0.75, up));
    color += vec3(1.2, 0.62, 0.26) * pow(toward, 24.0) * 0.55;
    return color;
}

/* What reaches a rough surface with this normal from the whole sky and the sunlit ground. */
vec3 sky_irradiance(vec3 n)
{
    vec3 above = vec3(0.34, 0.42, 0.62);
    vec3 below = vec3(0.34, 0.24, 0.16);
    vec3 side = vec3(0.62, 0.42, 0.26) * max(dot(n, normalize(vec3(frame.sun.x, 0.1, frame.sun.z))), 0.0);
    return mix(below, above, n.y * 0.5 + 0.5) + side * 0.35;
}

vec3 sky_radiance(vec3 direction)
{
    vec3 color = sky_gradient(direction);
    float toward = max(dot(direction, frame.sun.xyz), 0.0);
    if (direction.y > 0.01) {
        vec2 p = direction.xz / (direction.y + 0.08) * 1.1 + frame.sun.w * 0.004;
        float cover = fbm2(p * vec2(0.8, 1.7) + 3.0, 5);
        cover = smoothstep(0.50, 0.86, cover) * smoothstep(0.02, 0.16, direction.y);
        vec3 lit = mix(vec3(0.80, 0.72, 0.74), vec3(2.1, 1.35, 0.82), pow(toward, 2.5));
        color = mix(color, lit, cover * 0.75);
    }
    float bearing = atan(direction.x, -direction.z);
    float far_hill = 0.055 + 0.05 * fbm2(vec2(bearing * 5.0, 1.0), 4);
    float near_hill = 0.020 + 0.06 * fbm2(vec2(bearing * 9.0, 7.0), 4);
    vec3 haze = sky_gradient(normalize(vec3(direction.x, 0.02, direction.z)));
    color = mix(color, mix(vec3(0.22, 0.25, 0.36), haze, 0.62), smoothstep(0.003, -0.003, direction.y - far_hill));
    color = mix(color, mix(vec3(0.10, 0.13, 0.12), haze, 0.38), smoothstep(0.003, -0.003, direction.y - near_hill));
    return color;
}

vec3 sun_disk(vec3 direction)
{
    float toward = dot(direction, frame.sun.xyz);
    return vec3(60.0, 38.0, 18.0) * smoothstep(0.99955, 0.9998, toward);
}
